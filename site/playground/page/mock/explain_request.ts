import type { Mock } from "@trestle/mirage-graphql";
import { type DocumentNode, type OperationDefinitionNode, parse } from "graphql";
import { selectedOperation, type SentOperation } from "./request_log.ts";

/** Says what has answered a request, a line for each field and for each line of a dialect. */
export async function explainRequest(
  mock: Mock,
  sent: SentOperation,
  errors: readonly Error[],
): Promise<string[]> {
  const operation = selectedOperation(sent);
  if (operation === undefined) return [];
  const selected = { operation, checked: { document: parse(sent.query) } };
  const explanation = await explainOf(mock)?.(
    selected,
    errors,
    sent.variables ?? {},
  );
  return explanation?.answers.flatMap(({ field, rule, dialectRules }) => [
    `${field}: ${rule}`,
    ...dialectRules.map(({ dialect, place, pattern }) => `${dialect}: ${place} ${pattern}`),
  ]) ?? [];
}

/** Explains the fields at the root of an operation, as the mock's panel does. */
type Explain = (
  selected: {
    readonly operation: OperationDefinitionNode;
    readonly checked: { readonly document: DocumentNode };
  },
  errors: readonly Error[],
  variables: Readonly<Record<string, unknown>>,
) => Promise<{ readonly answers: readonly Answer[] }>;

interface Answer {
  readonly field: string;
  readonly rule: string;
  readonly dialectRules: readonly {
    readonly dialect: string;
    readonly place: string;
    readonly pattern: string;
  }[];
}

/** What a mock has for tools, which its type leaves out. */
function explainOf(mock: object): Explain | undefined {
  return hasExplain(mock) ? mock.inspection.explain : undefined;
}

function hasExplain(
  mock: object,
): mock is { readonly inspection: { readonly explain: Explain } } {
  if (!("inspection" in mock)) return false;
  const { inspection } = mock;
  return typeof inspection === "object" && inspection !== null &&
    "explain" in inspection &&
    typeof inspection.explain === "function";
}

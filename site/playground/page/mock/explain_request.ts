import type { Mock } from "@trestle/mirage-graphql";
import { type DocumentNode, type OperationDefinitionNode, parse } from "graphql";
import { findDialects, type PastOperation } from "./find_dialects.ts";
import { selectedOperation } from "./request_log.ts";

/** Larger schemas are not mocked again for each dialect. */
const MAX_CHARACTERS = 100_000;

/** A request that was answered, and by what. */
export interface AnsweredRequest {
  readonly mock: Mock;
  readonly past: PastOperation;
  /** The errors of the answer. */
  readonly errors: readonly Error[];
}

/** Says what has answered a request, a line for each field, and the dialect that explains it. */
export async function explainRequest(
  { mock, past, errors }: AnsweredRequest,
): Promise<string[]> {
  const operation = selectedOperation(past.operation);
  if (operation === undefined) return [];
  const document = parse(past.operation.query);
  const explanation = await explainOf(mock)?.({ operation, checked: { document } }, errors);
  const answers = explanation?.answers ?? [];
  // it lists all dialects that are on; which of them counts is found by trying
  const lines = answers.map(({ field, rule }) => `${field}: ${rule.replace(/ \(conv.*\)$/, "")}`);
  const isOwn = answers.some(({ rule }) => rule.startsWith("a resolver"));
  if (isOwn || past.schemaText.length > MAX_CHARACTERS) return lines;
  const dialects = await findDialects(past);
  return [...lines, `Dialect: ${dialects.join(", or ") || "none alone explains it"}`];
}

/** Explains the fields at the root of an operation, as the mock's panel does. */
type Explain = (
  selected: {
    readonly operation: OperationDefinitionNode;
    readonly checked: { readonly document: DocumentNode };
  },
  errors: readonly Error[],
) => Promise<{ readonly answers: readonly { readonly field: string; readonly rule: string }[] }>;

/** What a mock has for tools, which its type leaves out. */
function explainOf(mock: object): Explain | undefined {
  return hasExplain(mock) ? mock.inspection.explain : undefined;
}

function hasExplain(
  mock: object,
): mock is { readonly inspection: { readonly explain: Explain } } {
  if (!("inspection" in mock)) return false;
  const { inspection } = mock;
  return typeof inspection === "object" && inspection !== null && "explain" in inspection &&
    typeof inspection.explain === "function";
}

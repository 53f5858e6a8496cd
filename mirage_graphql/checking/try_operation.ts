import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  subscribe,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { Deliver } from "../execution/executor.ts";
import type { PromiseOrValue } from "../execution/graphql_request.ts";
import { isPromise } from "../shared/values.ts";
import { type Outcome, refuse } from "../execution/outcome.ts";
import { LocalOperation } from "../execution/run_operation.ts";
import { unresolvedOf } from "../shared/unresolved_field.ts";
import { reasonOf } from "../stubs/reason.ts";
import type { CreateCheckedMock, FieldName } from "./checked_mock.ts";
import type { AppOperation } from "./collect_operations.ts";
import { makeVariables } from "./make_variables.ts";
import { toSentDocument } from "./sent_document.ts";

/** Milliseconds that an operation may take, of which only resolvers of one's own need some. */
const TIMEOUT_MS = 10_000;

/** A field that needs a resolver for an operation to answer, and why. */
export interface FieldToWrite extends FieldName {
  readonly reason: string;
}

/**
 * Whether an operation has an answer: `answers`; `refused` if no rule explains a field; `fails` with
 * the values that were made up for its variables; `invalid` if the schema doesn't allow it.
 */
export type Verdict = "answers" | "refused" | "fails" | "invalid";

/** What came of an operation. */
export interface TriedOperation extends AppOperation {
  readonly verdict: Verdict;
  /** Why it has no answer. */
  readonly reasons: readonly string[];
  /** What the mock would print while it answers. */
  readonly warnings: readonly string[];
  /** The fields that need a resolver. */
  readonly fields: readonly FieldToWrite[];
}

/** Times that an operation is run to find all fields that need a resolver. */
const MAX_ROUNDS = 20;

/**
 * Runs an operation against a mock of its own, with made-up variables. Where a field is refused, it is
 * run again with some value for this field, because its error may hide others.
 */
export async function tryOperation(
  operation: AppOperation,
  createMock: CreateCheckedMock,
): Promise<TriedOperation> {
  const first = await runOnce(operation, createMock, []);
  const reasons = new Set(first.reasons);
  let fields = first.fields;
  for (let { verdict } = first, round = 1; verdict === "refused" && round < MAX_ROUNDS; round++) {
    const next = await runOnce(operation, createMock, fields);
    const isNew = (one: FieldToWrite) =>
      !fields.some((known) => one.typeName === known.typeName && one.fieldName === known.fieldName);
    const added = next.verdict === "refused" ? next.fields.filter(isNew) : [];
    if (added.length === 0) break;
    fields = [...fields, ...added];
    for (const { reason } of added) reasons.add(reason);
  }
  return { ...first, fields, reasons: [...reasons] };
}

async function runOnce(
  operation: AppOperation,
  createMock: CreateCheckedMock,
  madeUp: readonly FieldName[],
): Promise<TriedOperation> {
  // under "ignore", what can't be reported is a subscription that stays open
  const { orm, executor, takeWarnings } = createMock(
    operation.type === "subscription"
      ? { madeUp, unknownArguments: "error" }
      : { madeUp, isShared: operation.type === "query" && madeUp.length === 0 },
  );
  const query = toSentDocument(orm.graphQLSchema, operation.document);
  const variables = makeVariables(orm, query);
  const outcome = await withTimeout((signal) =>
    executor.execute<never>({ query, variables, operationName: operation.name }, {
      signal,
      deliver: startSubscription,
    })
  );
  const errors = errorsOf(outcome);
  const fields = errors.flatMap((error) => toField(orm.graphQLSchema, query, error) ?? []);
  return {
    ...operation,
    verdict: verdictOf(outcome, errors),
    reasons: [...new Set([...refusalOf(outcome), ...errors.map(reasonOf)])],
    warnings: takeWarnings(),
    fields,
  };
}

/** What the user's code throws is a refusal, too. */
async function withTimeout(
  run: (signal: AbortSignal) => PromiseOrValue<Outcome>,
): Promise<Outcome> {
  const ending = new AbortController();
  const late = new Error(`Cannot answer within ${TIMEOUT_MS / 1_000} seconds`);
  const timer = setTimeout(() => ending.abort(late), TIMEOUT_MS);
  try {
    return await run(ending.signal);
  } catch (error) {
    return refuse(500, error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Only the start counts, because nothing is written that it could report. */
const startSubscription: Deliver<never> = (pending) =>
  pending instanceof LocalOperation && pending.info.type === "subscription"
    ? start(pending)
    : undefined;

async function start(pending: LocalOperation): Promise<Outcome> {
  const args = pending.args();
  const started = await subscribe(isPromise(args) ? await args : args);
  if (!(Symbol.asyncIterator in started)) return { kind: "result", result: started };
  await started.return?.();
  const result: ExecutionResult = { data: {} };
  return { kind: "result", result };
}

function errorsOf(outcome: Outcome): readonly GraphQLError[] {
  return outcome.kind === "result" ? outcome.result.errors ?? [] : [];
}

function refusalOf(outcome: Outcome): readonly string[] {
  return outcome.kind === "refusal" ? [outcome.reason] : [];
}

function verdictOf(outcome: Outcome, errors: readonly GraphQLError[]): Verdict {
  if (outcome.kind === "refusal") return "fails";
  if (errors.length === 0) return "answers";
  if (errors.some((error) => unresolvedOf(error) !== undefined)) return "refused";
  return errors.every(({ path }) => path === undefined) ? "invalid" : "fails";
}

/** The field that the error is about, else the one at the root; a missing record needs none. */
function toField(
  graphQLSchema: GraphQLSchema,
  document: DocumentNode,
  error: GraphQLError,
): FieldToWrite | undefined {
  const unresolved = unresolvedOf(error);
  const reason = reasonOf(error);
  if (unresolved !== undefined) {
    const { typeName, fieldName } = unresolved;
    return { typeName, fieldName, reason };
  }
  const [key] = error.path ?? [];
  if (key === undefined || error.extensions.code === "NOT_FOUND") return undefined;
  return { ...rootField(graphQLSchema, document, String(key)), reason };
}

function rootField(
  graphQLSchema: GraphQLSchema,
  document: DocumentNode,
  key: string,
): FieldName {
  const types = new TypeInfo(graphQLSchema);
  let found = { typeName: "Query", fieldName: key };
  let isFound = false;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name, alias }: FieldNode) {
        if (!isFound && (alias ?? name).value === key) {
          found = { typeName: types.getParentType()?.name ?? "Query", fieldName: name.value };
          isFound = true;
        }
      },
    }),
  );
  return found;
}

import { GraphQLError } from "graphql";
import { isOperation } from "../request/document_cache.ts";
import type { Executor } from "../request/executor.ts";
import type { ExecutableRequest, MockRequest } from "../request/graphql_request.ts";
import { executeRequest } from "../request/http_response.ts";
import type { IncrementalSpec } from "../request/media_types.ts";
import type { Outcome } from "../request/outcome.ts";
import { selectOperation } from "../request/run_operation.ts";
import { selectionIn } from "../selection.ts";
import { IncrementalExecution, isIncremental } from "./execute_incrementally.ts";
import { type Payload, payloadsOf, receivedPayloads } from "./payloads.ts";
import { splitResult } from "./split_result.ts";
import { withTypeNames } from "./with_type_names.ts";

/** A response in parts. */
export interface PartsOutcome {
  /** Distinguishes it from other outcomes. */
  readonly kind: "parts";
  readonly spec: IncrementalSpec;
  /** The messages, the last of which has no next one. */
  readonly payloads: Iterator<Payload> | AsyncIterator<Payload>;
  /** Ends the execution of parts that nobody waits for. */
  end(): void;
}

/**
 * Executes a request whose document has `@defer` or `@stream`. graphql 17 executes the parts one
 * after the other; the complete result of a plan, an API or graphql 16 is split. `undefined` if the
 * document has neither; other outcomes than results with data are returned as they are.
 */
export async function executeParts(
  executor: Executor,
  one: ExecutableRequest,
  { request, spec }: { readonly request: MockRequest; readonly spec: IncrementalSpec },
): Promise<Outcome | PartsOutcome | undefined> {
  const checked = executor.documents.get(one.query);
  if ("errors" in checked || checked.incremental === undefined) return undefined;
  const document = checked.incremental;
  const operations = document.definitions.filter(isOperation);
  const operation = selectOperation({ document, operations }, one.operationName);
  if (operation instanceof GraphQLError || operation.operation === "subscription") return undefined;
  const execution = new IncrementalExecution(document, spec);
  const { execute } = execution;
  const outcome = await executeRequest(executor, one, request, { prepare: withTypeNames, execute });
  if (outcome.kind !== "result" || !outcome.result.data) {
    execution.end();
    return outcome;
  }
  const selection = selectionIn(executor.graphQLSchema, document, operation, one.variables);
  const { results } = execution;
  const payloads = results === undefined
    ? payloadsOf(splitResult(selection, operation, outcome.result), spec)
    : isIncremental(results)
    ? receivedPayloads(results, spec)
    : payloadsOf({ first: results, later: [] }, spec);
  return { kind: "parts", spec, payloads, end: () => execution.end() };
}

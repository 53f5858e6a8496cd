import { GraphQLError } from "graphql";
import { isOperation } from "../request/document_cache.ts";
import type { Executor } from "../request/executor.ts";
import type { ExecutableRequest, MockRequest } from "../request/graphql_request.ts";
import { executeRequest } from "../request/http_response.ts";
import type { Outcome } from "../request/outcome.ts";
import { selectOperation } from "../request/run_operation.ts";
import { withDefaults } from "../request/collect_parts.ts";
import { type SplitResult, splitResult } from "./split_result.ts";
import { withTypeNames } from "./with_type_names.ts";

/** A response in parts. */
export interface PartsOutcome {
  /** Distinguishes it from other outcomes. */
  readonly kind: "parts";
  readonly parts: SplitResult;
}

/**
 * Executes a request whose document has `@defer` or `@stream`, and splits its result. `undefined`
 * if the document has neither; other outcomes than results with data are returned as they are.
 */
export async function executeParts(
  executor: Executor,
  one: ExecutableRequest,
  request: MockRequest,
): Promise<Outcome | PartsOutcome | undefined> {
  const checked = executor.documents.get(one.query);
  if ("errors" in checked || checked.incremental === undefined) return undefined;
  const document = checked.incremental;
  const operations = document.definitions.filter(isOperation);
  const operation = selectOperation({ document, operations }, one.operationName);
  if (operation instanceof GraphQLError || operation.operation === "subscription") return undefined;
  const outcome = await executeRequest(executor, one, request, { prepare: withTypeNames });
  if (outcome.kind !== "result" || !outcome.result.data) return outcome;
  const selected = {
    schema: executor.graphQLSchema,
    document,
    variables: withDefaults(operation, one.variables),
  };
  return { kind: "parts", parts: splitResult(selected, operation, outcome.result) };
}

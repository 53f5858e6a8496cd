import * as graphql from "graphql";
import {
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type OperationDefinitionNode,
} from "graphql";
import { selectionIn } from "../shared/selection.ts";
import { isOperation } from "../execution/document_cache.ts";
import type { PromiseOrValue } from "../execution/graphql_request.ts";
import type { Outcome } from "../execution/outcome.ts";
import { LocalOperation, type PendingOperation } from "../execution/run_operation.ts";
import {
  type IncrementalResults,
  type IncrementalSpec,
  type Payload,
  payloadsOf,
  receivedPayloads,
} from "./payloads.ts";
import { splitResult, withTypeNames } from "./split_result.ts";

/** A response in parts. */
export interface ExecutedParts {
  /** The messages, the last of which has no next one. */
  readonly payloads: Iterator<Payload> | AsyncIterator<Payload>;
  /** Ends the execution of parts that nobody waits for. */
  end(): void;
}

/** Whether an operation has `@defer` or `@stream`, so that its response can have parts. */
export function hasParts(pending: PendingOperation): pending is LocalOperation {
  return pending instanceof LocalOperation && pending.info.type !== "subscription" &&
    pending.selected.checked.incremental !== undefined;
}

/**
 * Executes an operation in parts. graphql 17 executes one after the other; the complete result of a
 * plan, an API or graphql 16 is split. Other outcomes than results with data are returned as they
 * are.
 */
export async function executeParts(
  pending: LocalOperation,
  spec: IncrementalSpec,
  signal: AbortSignal | undefined,
): Promise<Outcome | ExecutedParts> {
  const { checked, operation, one } = pending.selected;
  const { incremental: document = checked.document } = checked;
  const index = checked.operations.indexOf(operation);
  const nodeIn = (nodes: readonly OperationDefinitionNode[]) => nodes[index] ?? operation;
  const execution = new IncrementalExecution(document, spec);
  const typed = withTypeNames(checked);
  const outcome = await pending.with({ checked: typed, operation: nodeIn(typed.operations) })
    .start(signal, execution.execute);
  if (outcome.kind !== "result" || !outcome.result.data) {
    execution.end();
    return outcome;
  }
  const directed = nodeIn(document.definitions.filter(isOperation));
  const selection = selectionIn(pending.graphQLSchema, document, directed, one.variables);
  const { results } = execution;
  const payloads = results === undefined
    ? payloadsOf(splitResult(selection, directed, outcome.result), spec)
    : isIncremental(results)
    ? receivedPayloads(results, spec)
    : payloadsOf({ first: results, later: [] }, spec);
  return { payloads, end: () => execution.end() };
}

type ExecuteIncrementally = (
  args: ExecutionArgs,
) => PromiseOrValue<ExecutionResult | IncrementalResults>;

/** The functions of graphql 17, by the format of their results; graphql 16 has neither. */
const FUNCTIONS: Readonly<Record<IncrementalSpec, string>> = {
  "deferSpec=20220824": "legacyExecuteIncrementally",
  "incrementalSpec=v0.2": "experimentalExecuteIncrementally",
};

/** The execution of one operation, whose first part needn't wait for the others. */
class IncrementalExecution {
  /** What graphql-js has returned, if it executes parts. */
  results: ExecutionResult | IncrementalResults | undefined;
  readonly #document: DocumentNode;
  readonly #execute: ExecuteIncrementally | undefined;

  /** `document` has `@defer` and `@stream`. */
  constructor(document: DocumentNode, spec: IncrementalSpec) {
    this.#document = document;
    const found: unknown = Reflect.get(graphql, FUNCTIONS[spec]);
    this.#execute = isFunction(found) ? found : undefined;
  }

  /** Returns the first part; the whole result with graphql 16. */
  readonly execute = async (args: ExecutionArgs): Promise<ExecutionResult> => {
    if (this.#execute === undefined) return await execute(args);
    const results = await this.#execute({ ...args, document: this.#document });
    this.results = results;
    return isIncremental(results) ? results.initialResult : results;
  };

  /** Ends the execution of parts, also of those that never end by themselves. */
  end(): void {
    if (this.results === undefined || !isIncremental(this.results)) return;
    this.results.subsequentResults.return().catch(() => {}); // nobody waits for it
  }
}

/** Whether a result has parts that come later. */
function isIncremental(
  results: ExecutionResult | IncrementalResults,
): results is IncrementalResults {
  return "initialResult" in results;
}

/** The boundary: graphql 16 has no types for it. */
function isFunction(value: unknown): value is ExecuteIncrementally {
  return typeof value === "function";
}

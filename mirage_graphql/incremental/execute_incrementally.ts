import * as graphql from "graphql";
import { type DocumentNode, execute, type ExecutionArgs, type ExecutionResult } from "graphql";
import type { PromiseOrValue } from "../request/graphql_request.ts";
import type { IncrementalSpec } from "../request/media_types.ts";
import type { IncrementalResults } from "./payloads.ts";

type ExecuteIncrementally = (
  args: ExecutionArgs,
) => PromiseOrValue<ExecutionResult | IncrementalResults>;

/** The functions of graphql 17, by the format of their results; graphql 16 has neither. */
const FUNCTIONS: Readonly<Record<IncrementalSpec, string>> = {
  "deferSpec=20220824": "legacyExecuteIncrementally",
  "incrementalSpec=v0.2": "experimentalExecuteIncrementally",
};

/** The execution of one operation, whose first part needn't wait for the others. */
export class IncrementalExecution {
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
export function isIncremental(
  results: ExecutionResult | IncrementalResults,
): results is IncrementalResults {
  return "initialResult" in results;
}

/** The boundary: graphql 16 has no types for it. */
function isFunction(value: unknown): value is ExecuteIncrementally {
  return typeof value === "function";
}

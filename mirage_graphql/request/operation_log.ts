import type { GraphQLError } from "graphql";
import type { OperationInfo } from "./graphql_request.ts";
import type { PassedResponse } from "./passed_response.ts";

/** An operation that was handled; the data of its answer is not kept, as it can be large. */
export interface HandledOperation extends OperationInfo {
  /** The errors that were answered; empty where there are none. */
  readonly errors: readonly GraphQLError[];
  /** The `Response` that was answered instead of a GraphQL response, if one was. */
  readonly response: PassedResponse | undefined;
  /** Milliseconds from the request to the answer, latency included. */
  readonly duration: number;
}

/** The operations that were handled last, the oldest first. */
export interface OperationLog {
  /** Notes one; drops the oldest where there are too many. */
  add(operation: HandledOperation): void;
  /** Those that are remembered, as a new array. */
  list(): HandledOperation[];
  /** Forgets all of them. */
  clear(): void;
}

/** Remembers the last `maxOperations` operations; none where that is 0. */
export function createOperationLog(maxOperations: number): OperationLog {
  if (!Number.isInteger(maxOperations) || maxOperations < 0) {
    throw new RangeError(
      `Cannot keep "${maxOperations}" operations: maxOperations must be 0 or more`,
    );
  }
  let operations: HandledOperation[] = [];
  return {
    add(operation) {
      operations.push(operation);
      if (operations.length > maxOperations) operations.shift();
    },
    list: () => [...operations],
    clear() {
      operations = [];
    },
  };
}

import type { GraphQLError } from "graphql";
import type { OperationInfo } from "./graphql_request.ts";
import type { PassedResponse } from "./passed_response.ts";

/** An operation that was handled; its data is not kept, because it can be large. */
export interface HandledOperation extends OperationInfo {
  /** The errors of the response; empty if there are none. */
  readonly errors: readonly GraphQLError[];
  /** The `Response` that was sent instead of a GraphQL response, if any. */
  readonly response: PassedResponse | undefined;
  /** Milliseconds from the request to the response, including latency. */
  readonly duration: number;
}

/** The latest operations, the oldest first. */
export interface OperationLog {
  /** Adds one; drops the oldest if there are too many. */
  add(operation: HandledOperation): void;
  /** The operations that are kept, as a new array. */
  list(): HandledOperation[];
  /** Removes all of them. */
  clear(): void;
}

/** Keeps the latest `maxOperations` operations; none if that is 0. */
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

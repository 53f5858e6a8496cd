import type { GraphQLError } from "graphql";
import type { OperationInfo } from "./graphql_request.ts";
import type { PassedResponse } from "./passed_response.ts";

/** An operation that was handled. */
export interface HandledOperation extends OperationInfo {
  /** The data that was answered; `undefined` where there is none. */
  readonly data: unknown;
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

/** Remembers the last `maxOperations` operations with their answers; none where that is 0. */
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
      // cut in bulk, so that a full log costs no more than an empty one
      if (operations.length >= 2 * maxOperations + 16) operations = tail(operations, maxOperations);
    },
    list: () => tail(operations, maxOperations),
    clear() {
      operations = [];
    },
  };
}

function tail<T>(list: readonly T[], count: number): T[] {
  return list.slice(Math.max(0, list.length - count));
}

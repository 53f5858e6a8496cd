import type { GraphQLError } from "graphql";
import { firstOf, MAX_MS } from "../shared/deadline.ts";
import type { OperationInfo } from "./graphql_request.ts";
import type { PassedResponse } from "./outcome.ts";

/** An operation that was handled; its data is not kept, because it can be large. */
export interface HandledOperation extends OperationInfo {
  /** The errors of the response; empty if there are none. */
  readonly errors: readonly GraphQLError[];
  /** The `Response` that was sent instead of a GraphQL response, if any. */
  readonly response: PassedResponse | undefined;
  /** Milliseconds from the request to the response, including latency. */
  readonly duration: number;
}

/** How to wait for an operation. */
export interface SeenOptions {
  /**
   * Milliseconds to wait.
   * @default {1_000}
   */
  readonly timeout?: number;
}

/** The latest operations, the oldest first. */
export interface OperationLog {
  /** Adds one; drops the oldest if there are too many. */
  add(operation: HandledOperation): void;
  /** The operations in the log, as a new array. */
  list(): HandledOperation[];
  /**
   * Resolves with the latest operation of that name (`*`: of any name), or with the next if there
   * is none yet. Rejects if none is handled in time.
   */
  seen(operationName: string, options?: SeenOptions): Promise<HandledOperation>;
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
  const list = () => operations.slice(-maxOperations || Infinity);
  const waiting = new Set<(operation: HandledOperation) => void>();

  async function next(operationName: string, timeoutMs: number): Promise<HandledOperation> {
    const deadline = firstOf({ timeoutMs });
    let seen: HandledOperation | undefined;
    const look = (operation: HandledOperation) => {
      if (!isNamed(operation, operationName)) return;
      seen = operation;
      deadline.end();
    };
    waiting.add(look);
    await deadline.passed;
    waiting.delete(look);
    if (seen !== undefined) return seen;
    const names = list().map(({ name = "an operation without a name" }) => name);
    const handled = names.length === 0
      ? "no operation was handled"
      : `handled: ${names.join(", ")}`;
    throw new Error(`Cannot see "${operationName}" within ${timeoutMs} ms: ${handled}`);
  }

  return {
    async seen(operationName, { timeout = 1_000 } = {}) {
      const latest = list().findLast((operation) => isNamed(operation, operationName));
      return latest ?? await next(operationName, checkTimeout(timeout));
    },
    add(operation) {
      waiting.forEach((look) => look(operation));
      // dropped in blocks, because a shift moves all that are left
      if (operations.push(operation) > 2 * maxOperations) operations = list();
    },
    list,
    clear() {
      operations = [];
    },
  };
}

function isNamed({ name }: HandledOperation, operationName: string): boolean {
  return operationName === "*" || operationName === name;
}

function checkTimeout(ms: number): number {
  if (typeof ms === "number" && ms >= 0 && ms <= MAX_MS) return ms;
  throw new RangeError(`Cannot wait for "${ms}": timeout must be 0 to ${MAX_MS} milliseconds`);
}

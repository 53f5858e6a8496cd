import { GraphQLError } from "graphql";
import { firstOf, MAX_MS, unlessAborted } from "../shared/deadline.ts";
import type { OperationInfo, PromiseOrValue } from "./graphql_request.ts";
import { isPassedResponse, type Outcome, type PassedResponse, refuse } from "./outcome.ts";

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

function isNamed({ name }: Pick<OperationInfo, "name">, operationName: string): boolean {
  return operationName === "*" || operationName === name;
}

function checkTimeout(ms: number): number {
  if (typeof ms === "number" && ms >= 0 && ms <= MAX_MS) return ms;
  throw new RangeError(`Cannot wait for "${ms}": timeout must be 0 to ${MAX_MS} milliseconds`);
}

/**
 * How an operation fails: an `Error` (or an object like a GraphQL error) is put into `errors`, with
 * `data: null`; a number is an HTTP status from 400 to 599; a `Response`, Mirage's or fetch's, is
 * the HTTP response. `"network"`, like `Response.error()`, breaks the connection; `"timeout"` never
 * answers, until the client aborts.
 */
export type PlannedFailure =
  | "network"
  | "timeout"
  | Error
  | { readonly message: string; readonly extensions?: Readonly<Record<string, unknown>> }
  | number
  | PassedResponse;

/** Planned failures that wait for their operations. */
export interface PlannedFailures {
  /** Plans one failure for the next operation of that name; `*` is an operation of any name. */
  add(operationName: string, failure: PlannedFailure): void;
  /**
   * Removes the oldest failure that is planned for an operation, and returns its outcome; a promise
   * that stays pending until the signal aborts has none.
   */
  fail(
    operationName: string | undefined,
    signal: AbortSignal | undefined,
  ): PromiseOrValue<Outcome> | undefined;
  /** Removes all of them. */
  clear(): void;
}

/** More planned failures than this are probably caused by a runaway loop. */
const MAX_FAILURES = 1000;

/** Keeps planned failures in the order in which they were planned. */
export function createPlannedFailures(): PlannedFailures {
  let planned: { readonly operationName: string; readonly failure: PlannedFailure }[] = [];
  return {
    add(operationName, failure) {
      checkFailure(operationName, failure);
      if (planned.length >= MAX_FAILURES) {
        throw new RangeError(
          `Cannot plan a failure of "${operationName}": ${MAX_FAILURES} are already waiting`,
        );
      }
      planned.push({ operationName, failure });
    },
    fail(name, signal) {
      if (planned.length === 0) return undefined;
      const index = planned.findIndex(({ operationName }) => isNamed({ name }, operationName));
      const [first] = index < 0 ? [] : planned.splice(index, 1);
      return first && toOutcome(first.failure, signal);
    },
    clear() {
      planned = [];
    },
  };
}

function checkFailure(operationName: string, failure: PlannedFailure): void {
  if (typeof operationName !== "string" || operationName === "") {
    throw new TypeError(
      `Cannot plan a failure of "${operationName}": name an operation, or "*" for any`,
    );
  }
  if (typeof failure === "number") return checkStatus(operationName, failure);
  if (failure === "network" || failure === "timeout") return;
  if (isPassedResponse(failure)) return;
  if (typeof failure === "object" && failure !== null && typeof failure.message === "string") {
    return;
  }
  throw new TypeError(
    `Cannot plan a failure of "${operationName}": give an error with a message, ` +
      'an HTTP status, a Response, "network" or "timeout"',
  );
}

function checkStatus(operationName: string, status: number): void {
  if (Number.isInteger(status) && status >= 400 && status <= 599) return;
  throw new RangeError(
    `Cannot plan a failure of "${operationName}": HTTP status ${status} is not within 400 to 599`,
  );
}

/** The outcome of a failure; a promise that stays pending until the signal aborts has none. */
export function toOutcome(
  failure: PlannedFailure,
  signal: AbortSignal | undefined,
): PromiseOrValue<Outcome> {
  if (failure === "timeout") return unlessAborted(new Promise(() => {}), signal);
  if (failure === "network") return { kind: "response", response: Response.error() };
  if (typeof failure === "number") return refuse(failure, `HTTP status ${failure}`);
  if (isPassedResponse(failure)) return { kind: "response", response: failure };
  return { kind: "result", result: { errors: [toGraphQLError(failure)], data: null } };
}

function toGraphQLError(
  error: Exclude<PlannedFailure, string | number | PassedResponse>,
): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const extensions = "extensions" in error ? error.extensions : undefined;
  const originalError = error instanceof Error ? error : undefined;
  return new GraphQLError(error.message, { originalError, extensions });
}

import { GraphQLError } from "graphql";
import { unlessAborted } from "../shared/deadline.ts";
import type { MockRequest, PromiseOrValue } from "./graphql_request.ts";
import { isPassedResponse, type Outcome, type PassedResponse, refuse } from "./outcome.ts";

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
      const index = planned.findIndex(({ operationName }) =>
        operationName === "*" || operationName === name
      );
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

/** What a failed request is notified of; `target` is the request. */
interface RequestEvent {
  readonly type: "readystatechange" | "error" | "loadend";
  readonly target: MockRequest;
}

/** What a request has whose connection can be broken. */
export interface BreakableRequest {
  /** Notifies of an event; `error` means a broken connection, as with `XMLHttpRequest`. */
  dispatchEvent(event: { readonly type: string }): void;
}

/** A request that can fail: Pretender's `XMLHttpRequest`, or that of a fetch interceptor. */
interface FailingRequest extends MockRequest {
  dispatchEvent(event: RequestEvent): unknown;
}

/**
 * Fails a request as a broken connection does: `fetch` rejects with a `TypeError`, and an
 * `XMLHttpRequest` notifies its `error` listeners. The promise stays pending, so that Mirage
 * answers nothing; it rejects if the request is a plain object of a direct caller.
 */
export function breakConnection(request: MockRequest): Promise<never> {
  if (!canFail(request)) {
    return Promise.reject(new TypeError("Cannot answer: the connection was broken, as planned"));
  }
  // the state in which browsers leave a request that failed
  Object.assign(request, { readyState: 4, status: 0 });
  for (const type of ["readystatechange", "error", "loadend"] as const) {
    notify(request, { type, target: request });
  }
  return new Promise(() => {});
}

function canFail(request: MockRequest): request is FailingRequest {
  return "dispatchEvent" in request && typeof request.dispatchEvent === "function";
}

/** Pretender calls `onloadend` by itself, but neither `onerror` nor `onreadystatechange`. */
function notify(request: FailingRequest, event: RequestEvent): void {
  request.dispatchEvent(event);
  const listener: unknown = event.type === "loadend"
    ? undefined
    : Reflect.get(request, `on${event.type}`);
  if (typeof listener === "function") listener.call(request, event);
}

import type { OperationInfo } from "./graphql_request.ts";

/** How long a response takes: milliseconds, or a function of the operation that returns them. */
export type Latency = number | ((operation: OperationInfo) => number);

/** The longest delay of a timer. */
const MAX_MS = 2_147_483_647;

/**
 * The latency of one operation in milliseconds.
 *
 * @throws {RangeError} If a timer can't wait that long.
 */
export function latencyOf(latency: Latency, operation: OperationInfo): number {
  return checkLatency(typeof latency === "function" ? latency(operation) : latency);
}

/** Returns the latency unchanged, or throws, so that a wrong one is reported where it is set. */
export function checkLatency(ms: number): number {
  if (typeof ms === "number" && ms >= 0 && ms <= MAX_MS) return ms;
  throw new RangeError(`Cannot use latency "${ms}": it must be 0 to ${MAX_MS} milliseconds`);
}

/** Waits; rejects with the signal's reason as soon as it aborts, and leaves no timer behind. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** The promise's value; rejects with the signal's reason if that aborts first. */
export function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

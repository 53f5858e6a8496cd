/** The longest delay of a timer, in milliseconds. */
export const MAX_MS = 2_147_483_647;

/** What ends a wait. */
export interface DeadlineOptions {
  /** Rejects the wait with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the wait resolves; without them there is no timer. */
  readonly timeoutMs?: number;
}

/** A wait for a timer, a signal or a call of `end()`, whichever comes first. */
export interface Deadline {
  /** Resolves after the time or on `end()`; rejects with the signal's reason when that aborts. */
  readonly passed: Promise<void>;
  /** Ends the wait at once, and releases timer and listener. */
  end(): void;
}

/**
 * Starts to wait for the first of a timer and an abort signal, which releases the other. Without a
 * time, call `end()` when the wait is no longer needed.
 */
export function firstOf({ signal, timeoutMs }: DeadlineOptions): Deadline {
  let end = () => {};
  const passed = new Promise<void>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const abort = () => {
      release();
      reject(signal?.reason);
    };
    end = () => {
      release();
      resolve();
    };
    if (signal?.aborted) return abort();
    if (timeoutMs !== undefined) timer = setTimeout(end, timeoutMs);
    signal?.addEventListener("abort", abort);
  });
  return { passed, end };
}

/** The promise's value; rejects with the signal's reason if that aborts first. */
export function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = firstOf({ signal });
  return new Promise((resolve, reject) => {
    aborted.passed.catch(reject);
    promise.then(resolve, reject).finally(aborted.end);
  });
}

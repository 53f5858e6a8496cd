/** What may end a wait. */
export interface WaitBounds {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds from now. */
  readonly timeoutMs?: number | undefined;
}

/** What ended a wait: its signal, or its time. */
export type Expiry = "aborted" | "timedOut";

/** How work ended: by itself, or because its wait did. */
export type RunEnd = "ended" | Expiry;

/** Watches a signal and a time until it is disposed of or one of them ends the wait. */
export interface Deadline extends Disposable {
  /** Resolves with what came first; stays pending if neither comes before disposal. */
  readonly expired: Promise<Expiry>;
}

/**
 * Waits for the abort of a signal or the end of a time, whichever comes first. `onExpiry` is called
 * once and synchronously, before this returns if the signal is already aborted; never after
 * disposal.
 */
export function firstOf(
  { signal, timeoutMs }: WaitBounds,
  onExpiry: (expiry: Expiry) => void = () => {},
): Deadline {
  const { promise: expired, resolve } = Promise.withResolvers<Expiry>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const dispose = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  const expire = (expiry: Expiry) => {
    dispose();
    resolve(expiry);
    onExpiry(expiry);
  };
  const onAbort = () => expire("aborted");
  if (signal?.aborted) {
    onAbort();
  } else {
    signal?.addEventListener("abort", onAbort);
    if (timeoutMs !== undefined) timer = setTimeout(() => expire("timedOut"), timeoutMs);
  }
  return { expired, [Symbol.dispose]: dispose };
}

/** Whether a promise resolves within a time; its work continues in any case. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  using deadline = firstOf({ timeoutMs });
  return await Promise.race([work.then(() => true), deadline.expired.then(() => false)]);
}

/** Waits for work, or rejects with the signal's reason; the work continues in any case. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _deadline = firstOf({ signal }, () => reject(signal.reason));
  return await Promise.race([aborted, work]);
}

/** What ends a run, besides itself. */
export interface RunBounds extends WaitBounds {
  /** The time within which it may go on after `timeoutMs`, in milliseconds from its start. */
  readonly mostMs: number;
  /** Decides whether it goes on when `timeoutMs` is over. @default {it does not} */
  readonly goesOn?: (() => Promise<boolean>) | undefined;
}

/**
 * Waits for the end of a run, which goes on meanwhile: `wait()` resolves with what comes first, its own
 * end or one of the bounds.
 */
export async function untilEnd<End extends string>(
  wait: (bounds: WaitBounds) => Promise<End>,
  { signal, timeoutMs, mostMs, goesOn }: RunBounds,
): Promise<End> {
  const startedAt = performance.now();
  const leftMs = () => mostMs - (performance.now() - startedAt);
  const end = await wait({ signal, timeoutMs });
  if (end !== "timedOut" || goesOn === undefined || leftMs() <= 0 || !await goesOn()) return end;
  return await wait({ signal, timeoutMs: Math.max(0, leftMs()) });
}

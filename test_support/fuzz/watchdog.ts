/** Ends the process, with a message, if it makes no progress for a while: not even a timer runs. */
export interface Watchdog extends Disposable {
  /** Names what runs now, as the message repeats it. */
  watch(what: string): void;
  /** Reports progress. */
  readonly tick: () => void;
}

/** What the watching thread is started with, and each change of what runs. */
export interface WatchdogMessage {
  readonly what: string;
  /** The number of inputs when it began. */
  readonly before?: number;
  readonly count?: Int32Array;
  readonly seconds?: number;
}

/**
 * Starts a thread that watches this one: a loop without an end blocks every timer of its own
 * thread.
 */
export function startWatchdog(seconds: number): Watchdog {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("watchdog_thread.ts", import.meta.url), { type: "module" });
  const post = (message: WatchdogMessage) => worker.postMessage(message);
  post({ what: "the start", count, seconds });
  return {
    watch: (what) => post({ what, before: Atomics.load(count, 0) }),
    tick: () => void Atomics.add(count, 0, 1),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

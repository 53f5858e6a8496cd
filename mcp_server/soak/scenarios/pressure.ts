/** What a flood takes from other traffic while it lasts. */
export type Scarce = "permits" | "connections";

/** A client may notice later than this that the server has closed an idle connection of its pool. */
const AFTER_MS = 15_000;

const BEAT_MS = 500;
/** A delay of a timer after which clients may have been too slow for the server's time limits. */
const STALL_MS = 1_500;

/**
 * Knows whether a flood was under way at any time of a call: only then may the server have been
 * busy, or have closed a connection that was idle.
 */
export class Pressure {
  readonly #floods: Record<Scarce, { begun: number; running: number }> = {
    permits: { begun: 0, running: 0 },
    connections: { begun: 0, running: 0 },
  };

  /** Begins a flood that lasts until disposal; one of connections has an effect for 15 s more. */
  begin(what: Scarce): Disposable {
    const flood = this.#floods[what];
    flood.begun++;
    flood.running++;
    const end = () => void flood.running--;
    return {
      [Symbol.dispose]: what === "connections" ? () => void setTimeout(end, AFTER_MS) : end,
    };
  }

  /**
   * Watches until disposal whether this machine is paused, which counts as a flood of connections
   * because it makes clients too slow; calls back each time.
   */
  watchStalls(onStall: () => void): Disposable {
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      if (now - last > BEAT_MS + STALL_MS) {
        this.begin("connections")[Symbol.dispose]();
        onStall();
      }
      last = now;
    }, BEAT_MS);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Begins to watch for floods. */
  watch(): Watched {
    const before = structuredClone(this.#floods);
    const hasBeen = (what: Scarce) =>
      before[what].running > 0 || this.#floods[what].begun > before[what].begun;
    return {
      hasBeen,
      excuses: (error) =>
        isBusy(error) ? hasBeen("permits") : isDisconnect(error) && hasBeen("connections"),
    };
  }
}

/** The floods since something began. */
export interface Watched {
  /** Whether one of a kind was under way at any time. */
  hasBeen(what: Scarce): boolean;
  /** Whether one of them may be the reason for an error. */
  excuses(error: unknown): boolean;
}

/** Whether a call was refused because too much is running, over any transport. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /Cannot start (another command|the call):/.test(error.message);
}

/** Whether `fetch()` could not send a request, or not read its response. */
function isDisconnect(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException;
}

import { type Caller, isAdmin } from "../access/caller.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { CallHistory, EndedCallRecord } from "../tool/live_calls.ts";
import { FigureKeeper, type KeptFigures, type Load, Ring } from "./kept_figures.ts";

/** How many ended calls are remembered. */
const MOST_CALLS = 1_000;
/** How soon a call that has ended is stored, together with those that end meanwhile. */
const STORE_MS = 1_000;
/** How long a list waits for the store, which may be a database that is away. */
const LIST_MS = 2_000;

/** Keeps the calls that have ended, of all servers that share it, beyond their ends. */
export interface EndedCalls {
  /** Adds calls in the order of their ends, each once, and keeps the last ones of all. */
  addEndedCalls(calls: readonly EndedCallRecord[], most: number): Promise<void>;
  /** The last calls of a caller, or of all callers for `undefined`, at most so many. */
  endedCalls(caller: string | undefined, most: number): Promise<EndedCallRecord[]>;
}

/** Where calls are kept. */
interface CallsPlace {
  readonly store: EndedCalls;
  /** What a call is stored with besides. */
  readonly more: Pick<EndedCallRecord, "server">;
  readonly log: Log;
}

/**
 * Remembers the calls that have ended, and what the server did, in bounded memory. Once jobs are kept,
 * the calls are kept with them.
 */
export class RememberedCalls implements CallHistory, Disposable {
  readonly #calls = new Ring<EndedCallRecord>(MOST_CALLS);
  readonly #figures = new FigureKeeper();
  #timer: ReturnType<typeof setInterval> | undefined;
  #kept: CallsPlace | undefined;
  /** How many of the last calls are not stored yet. */
  #unstored = 0;
  #storing: Promise<boolean> = Promise.resolve(true);
  #storeTimer: ReturnType<typeof setTimeout> | undefined;

  /** Takes a call that has ended. */
  add(call: EndedCallRecord): void {
    this.#calls.push(call);
    this.#figures.add(call);
    this.#unstored = Math.min(this.#unstored + 1, MOST_CALLS);
    this.#storeSoon();
  }

  /** Stores the calls that have ended, and those that will; `server` is its name among others. */
  keepIn(store: EndedCalls, log: Log, server?: string): void {
    this.#kept = { store, log, more: server === undefined ? {} : { server } };
    if (this.#unstored > 0) this.#storeSoon();
  }

  /** Stores the calls that have ended by now; resolves with whether they are stored, never rejects. */
  flush(): Promise<boolean> {
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    return this.#storing = this.#storing.then(() => this.#store());
  }

  /** Looks at the server from now on, without keeping the process alive. */
  start(load: () => Load): void {
    const sample = () => this.sample(load(), Date.now());
    sample();
    this.#timer = setInterval(sample, FigureKeeper.EVERY_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Takes a sample; `now` is in milliseconds since 1970. */
  sample(load: Load, now: number): void {
    this.#figures.sample(load, now);
  }

  async list(caller: Caller): Promise<readonly EndedCallRecord[]> {
    const name = isAdmin(caller) ? undefined : caller.name;
    return await this.#listKept(name) ??
      this.#calls.values().toReversed().filter((call) =>
        name === undefined || call.caller === name
      );
  }

  /** What this server did since its start. */
  figures(): KeptFigures {
    return this.#figures.read();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    clearTimeout(this.#storeTimer);
  }

  /** What the store has, with all that has ended here; `undefined` if it does not answer. */
  async #listKept(caller: string | undefined): Promise<EndedCallRecord[] | undefined> {
    const { store } = this.#kept ?? {};
    if (store === undefined) return undefined;
    const read = async () =>
      await this.flush() ? await store.endedCalls(caller, MOST_CALLS) : undefined;
    const reading = read().catch(() => undefined);
    if (!await within(reading, LIST_MS)) return undefined;
    // Each server adds some at once, so those of several are not quite in order.
    return (await reading)?.toSorted((a, b) => endOf(b) - endOf(a));
  }

  #storeSoon(): void {
    if (this.#kept === undefined || this.#storeTimer !== undefined) return;
    this.#storeTimer = setTimeout(() => this.flush(), STORE_MS);
    Deno.unrefTimer(this.#storeTimer);
  }

  /** Stores what is not stored; if that fails, it is tried again with the next call. */
  async #store(): Promise<boolean> {
    const count = this.#unstored;
    if (this.#kept === undefined || count === 0) return this.#kept !== undefined;
    const { store, more, log } = this.#kept;
    const calls = this.#calls.values().slice(-count).map((call) => ({ ...call, ...more }));
    this.#unstored = 0;
    try {
      await store.addEndedCalls(calls, MOST_CALLS);
      return true;
    } catch (error) {
      this.#unstored = Math.min(this.#unstored + count, MOST_CALLS);
      log.debug("calls that have ended are not stored", { reason: messageOf(error) });
      return false;
    }
  }
}

function endOf({ startedAt, durationMs }: EndedCallRecord): number {
  return Date.parse(startedAt) + durationMs;
}

import { type Caller, isAdmin } from "../access/caller.ts";
import { within } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type {
  CallHistory,
  EndedCallRecord,
  FigureSample,
  ToolFigures,
} from "../tool/fleet_desk.ts";

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

/**
 * Remembers the calls that have ended, and what the server did, in bounded memory. Once jobs are kept,
 * the calls are kept with them.
 */
export class RememberedCalls implements CallHistory, Disposable {
  readonly #calls = new Ring<EndedCallRecord>(MOST_CALLS);
  readonly #figures = new FigureKeeper();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Where calls are kept, and what each is stored with besides. */
  #kept:
    | { readonly store: EndedCalls; readonly more: { readonly server?: string }; readonly log: Log }
    | undefined;
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

/** How often the server is looked at, and for how long that is kept. */
const HOUR = { everySeconds: 15, most: 240 };
const DAY = { everySeconds: 300, most: 288 };
/** How many of the parts of a day are an hour. */
const PARTS_OF_HOUR = 12;

/** How the server is at a moment. */
export type Load = Pick<FigureSample, "runs" | "queue" | "memoryBytes">;

/** What a server did for an hour or a day, in a form that can be added up with those of others. */
export interface KeptRange {
  readonly everySeconds: number;
  readonly samples: readonly FigureSample[];
  readonly tools: readonly ToolTally[];
}

/** What a server did. */
export type KeptFigures = Readonly<Record<"hour" | "day", KeptRange>>;

/** Counts calls, and samples how the server is, for an hour and a day, in bounded memory. */
export class FigureKeeper {
  readonly #hour = new Ring<FigureSample>(HOUR.most);
  readonly #day = new Ring<FigureSample>(DAY.most);
  /** The tools of each part of the day. */
  readonly #tools = new Ring<readonly ToolTally[]>(DAY.most);
  #counts = { calls: 0, failures: 0 };
  /** The samples, and the tools, since the last part of the day. */
  #recent: FigureSample[] = [];
  #recentTools = new ToolTallies();

  /** How often `sample()` is to be called. */
  static readonly EVERY_MS: number = 1_000 * HOUR.everySeconds;

  /** Takes a call that has ended. */
  add(call: EndedCallRecord): void {
    this.#counts.calls++;
    if (call.outcome !== "ok") this.#counts.failures++;
    this.#recentTools.add(tallyOf(call));
  }

  /** Takes a sample; `now` is in milliseconds since 1970. */
  sample(load: Load, now: number): void {
    const sample = { at: new Date(now).toISOString(), ...this.#counts, ...load };
    this.#counts = { calls: 0, failures: 0 };
    this.#hour.push(sample);
    this.#recent.push(sample);
    if (this.#recent.length * HOUR.everySeconds < DAY.everySeconds) return;
    this.#day.push(joinSamples(this.#recent, sample.at));
    this.#tools.push(this.#recentTools.values());
    this.#recent = [];
    this.#recentTools = new ToolTallies();
  }

  /** The samples, the oldest first, and the tools with those of the part that has not ended yet. */
  read(): KeptFigures {
    const parts = [...this.#tools.values(), this.#recentTools.values()];
    const range = (everySeconds: number, samples: Ring<FigureSample>, tools: typeof parts) => ({
      everySeconds,
      samples: samples.values(),
      tools: joinTallies(tools),
    });
    return {
      hour: range(HOUR.everySeconds, this.#hour, parts.slice(-PARTS_OF_HOUR)),
      day: range(DAY.everySeconds, this.#day, parts),
    };
  }
}

/** Joins successive samples to one: calls are counted together; of what comes and goes, the most is kept. */
export function joinSamples(samples: readonly FigureSample[], at: string): FigureSample {
  const sum = (key: "calls" | "failures") =>
    samples.reduce((total, sample) => total + sample[key], 0);
  const most = (key: keyof Load) => Math.max(...samples.map((sample) => sample[key]));
  return {
    at,
    calls: sum("calls"),
    failures: sum("failures"),
    runs: most("runs"),
    queue: most("queue"),
    memoryBytes: most("memoryBytes"),
  };
}

/** The last values, as many as there is room for. */
export class Ring<T> {
  readonly #most: number;
  readonly #values: T[] = [];
  #next = 0;

  /** Has room for `most` values. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a value, in the place of the oldest one if there is no more room. */
  push(value: T): void {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % this.#most;
  }

  /** The oldest first. */
  values(): T[] {
    return [...this.#values.slice(this.#next), ...this.#values.slice(0, this.#next)];
  }
}

/** How many tools are told apart for a while; calls of further ones are left out. */
const MOST_TOOLS = 500;
/** Each bucket of durations reaches up to a tenth further than the one before it. */
const GROWTH = 1.1;

/** How the calls of a tool went, in a form that can be added up: of some minutes, or of servers. */
export interface ToolTally {
  readonly tool: string;
  readonly calls: number;
  /** How many calls had each outcome other than `ok`. */
  readonly failures: Readonly<Record<string, number>>;
  /** How many calls took how long, by bucket. */
  readonly durations: Readonly<Record<string, number>>;
  /** The one that took longest. */
  readonly longest: ToolFigures["longest"];
}

/** A tally to which others are added. */
interface Sum {
  readonly tool: string;
  calls: number;
  readonly failures: Record<string, number>;
  readonly durations: Record<string, number>;
  longest: ToolTally["longest"];
}

/** The tally of one call. */
export function tallyOf(call: EndedCallRecord): ToolTally {
  const { id, tool, outcome, durationMs, startedAt, job, server } = call;
  const bucket = Math.ceil(Math.log(Math.max(durationMs, 1)) / Math.log(GROWTH));
  return {
    tool,
    calls: 1,
    failures: outcome === "ok" ? {} : { [outcome]: 1 },
    durations: { [bucket]: 1 },
    longest: {
      id,
      durationMs,
      startedAt,
      ...job === undefined ? {} : { job },
      ...server === undefined ? {} : { server },
    },
  };
}

/** Adds tallies up, in bounded memory. */
export class ToolTallies {
  readonly #tools = new Map<string, Sum>();

  /** Adds a tally to that of its tool. */
  add({ tool, calls, failures, durations, longest }: ToolTally): void {
    const own = this.#tools.get(tool) ?? { tool, calls: 0, failures: {}, durations: {}, longest };
    if (own.calls === 0 && this.#tools.size === MOST_TOOLS) return;
    this.#tools.set(tool, own);
    own.calls += calls;
    addAll(own.failures, failures);
    addAll(own.durations, durations);
    if (longest.durationMs > own.longest.durationMs) own.longest = longest;
  }

  /** One tally for each tool. */
  values(): ToolTally[] {
    return [...this.#tools.values()];
  }
}

/** Adds up lists of tallies, such as those of several servers. */
export function joinTallies(lists: readonly (readonly ToolTally[])[]): ToolTally[] {
  const all = new ToolTallies();
  for (const tally of lists.flat()) all.add(tally);
  return all.values();
}

/** What a tally says to people. */
export function toToolFigures(
  { tool, calls, failures, durations, longest }: ToolTally,
): ToolFigures {
  const codes = Object.entries(failures).toSorted(([, one], [, other]) => other - one);
  const [failure] = codes[0] ?? [];
  const within = (share: number) =>
    Math.min(quantileOf(durations, Math.ceil(share * calls)), longest.durationMs);
  return {
    tool,
    calls,
    failures: codes.reduce((sum, [, count]) => sum + count, 0),
    ...failure === undefined ? {} : { failure },
    p50Ms: within(0.5),
    p95Ms: within(0.95),
    longest,
  };
}

/** The middle of the bucket of the call at a rank, the shortest one being the first. */
function quantileOf(durations: ToolTally["durations"], rank: number): number {
  let before = 0;
  const buckets = Object.entries(durations).toSorted(([one], [other]) =>
    Number(one) - Number(other)
  );
  for (const [bucket, count] of buckets) {
    before += count;
    if (before >= rank) return Math.round(GROWTH ** (Number(bucket) - 0.5));
  }
  return 0;
}

function addAll(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count;
}

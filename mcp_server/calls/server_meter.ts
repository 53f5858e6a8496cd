import { type Caller, isAdmin } from "../access/caller.ts";
import type {
  CallHistory,
  EndedCallRecord,
  FigureSample,
  ServerFigures,
} from "../tool/live_calls.ts";
import type { CommandEnd } from "../tool/command.ts";
import type { EndedCall, Meter, MetricsText } from "../tool/service.ts";
import type { Readings, Series } from "./series.ts";

/** The module is found by a computed name, so that only a server that counts downloads the package. */
const SERIES = new URL("./series.ts", import.meta.url).href;

/** What is counted before `prom-client` is loaded; then it is. */
const MOST_PENDING = 1_000;

/**
 * The meter of a server. `prom-client` takes as long to load as the rest of a start, so it is loaded
 * with the first request for metrics, or when much has been counted.
 */
export class ServerMeter implements Meter {
  readonly #readings: Readings;
  #pending: ((series: Series) => void)[] = [];
  #series: Series | undefined;
  #loading: Promise<Series> | undefined;

  constructor(readings: Readings) {
    this.#readings = readings;
  }

  called({ tool = "unknown", transport, outcome, seconds }: EndedCall): void {
    this.record((series) => {
      series.calls.inc({ tool, transport, outcome });
      series.callSeconds.observe({ tool }, seconds);
    });
  }

  ran(tool: string, end: CommandEnd): void {
    this.record((series) => series.commands.inc({ tool, end }));
  }

  refused(reason: string): void {
    this.record((series) => series.refused.inc({ reason }));
  }

  stopped(survivors: number): void {
    this.record((series) => {
      series.stops.inc();
      series.survivors.inc(survivors);
    });
  }

  reloaded(outcome: "loaded" | "kept", count: number): void {
    if (count > 0) this.record((series) => series.reloads.inc({ outcome }, count));
  }

  async render(): Promise<MetricsText> {
    const { registry } = await this.#load();
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  /** Counts something now, or once the series are there. */
  record(count: (series: Series) => void): void {
    if (this.#series !== undefined) return count(this.#series);
    this.#pending.push(count);
    // A server that can't load it goes on; the request for metrics says why.
    if (this.#pending.length >= MOST_PENDING) this.#load().catch(() => this.#pending = []);
  }

  async #load(): Promise<Series> {
    this.#loading ??= this.#create();
    return await this.#loading;
  }

  async #create(): Promise<Series> {
    try {
      const { createSeries }: typeof import("./series.ts") = await import(SERIES);
      const series = createSeries(this.#readings);
      for (const count of this.#pending) count(series);
      this.#pending = [];
      return this.#series = series;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }
}

/** Counts how long the store takes for something, and whether it fails. */
export async function timed<T>(
  operation: string,
  meter: Pick<ServerMeter, "record">,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    meter.record(({ storeErrors }) => storeErrors.inc({ operation }));
    throw error;
  } finally {
    const seconds = (performance.now() - startedAt) / 1_000;
    meter.record(({ storeSeconds }) => storeSeconds.observe({ operation }, seconds));
  }
}

/** How often the delay of a timer is measured. */
const INTERVAL_MS = 500;

/** Measures how late timers fire, which is how long the event loop was held. */
export class LoopLag implements Disposable {
  #longest = 0;
  #expected = performance.now() + INTERVAL_MS;
  readonly #timer: ReturnType<typeof setInterval>;

  /** Starts to measure, without keeping the process alive. */
  constructor() {
    this.#timer = setInterval(() => this.#measure(), INTERVAL_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** The longest delay since the last call, in seconds. */
  take(): number {
    this.#measure();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A timer that is due and has not fired counts too. */
  #measure(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, (now - this.#expected) / 1_000);
    if (now >= this.#expected) this.#expected = now + INTERVAL_MS;
  }
}

/** How many ended calls are remembered. */
const MOST_CALLS = 1_000;
/** How often the server is looked at, and for how long that is kept. */
const HOUR = { everySeconds: 15, most: 240 };
const DAY = { everySeconds: 300, most: 288 };

/** How the server is at a moment. */
type Load = Pick<FigureSample, "runs" | "queue" | "memoryBytes">;

/** Remembers the calls that have ended, and what the server did, in bounded memory. */
export class RememberedCalls implements CallHistory, Disposable {
  readonly #calls = new Ring<EndedCallRecord>(MOST_CALLS);
  readonly #hour = new Ring<FigureSample>(HOUR.most);
  readonly #day = new Ring<FigureSample>(DAY.most);
  #timer: ReturnType<typeof setInterval> | undefined;
  #counts = { calls: 0, failures: 0 };
  /** The samples since the last one of the day. */
  #recent: FigureSample[] = [];

  /** Takes a call that has ended. */
  add(call: EndedCallRecord): void {
    this.#calls.push(call);
    this.#counts.calls++;
    if (call.outcome !== "ok") this.#counts.failures++;
  }

  /** Looks at the server from now on, without keeping the process alive. */
  start(load: () => Load): void {
    this.sample(load(), Date.now());
    this.#timer = setInterval(() => this.sample(load(), Date.now()), 1_000 * HOUR.everySeconds);
    Deno.unrefTimer(this.#timer);
  }

  /** Takes a sample; `now` is in milliseconds since 1970. */
  sample(load: Load, now: number): void {
    const sample = { at: new Date(now).toISOString(), ...this.#counts, ...load };
    this.#counts = { calls: 0, failures: 0 };
    this.#hour.push(sample);
    this.#recent.push(sample);
    if (this.#recent.length * HOUR.everySeconds < DAY.everySeconds) return;
    this.#day.push(joined(this.#recent, sample));
    this.#recent = [];
  }

  list(caller: Caller): readonly EndedCallRecord[] {
    const all = this.#calls.values().toReversed();
    return isAdmin(caller) ? all : all.filter((call) => call.caller === caller.name);
  }

  figures(): { readonly hour: ServerFigures; readonly day: ServerFigures } {
    return {
      hour: { everySeconds: HOUR.everySeconds, samples: this.#hour.values() },
      day: { everySeconds: DAY.everySeconds, samples: this.#day.values() },
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Calls are counted together; of what comes and goes, the most is kept. */
function joined(samples: readonly FigureSample[], last: FigureSample): FigureSample {
  const sum = (key: "calls" | "failures") =>
    samples.reduce((total, sample) => total + sample[key], 0);
  const most = (key: keyof Load) => Math.max(...samples.map((sample) => sample[key]));
  return {
    at: last.at,
    calls: sum("calls"),
    failures: sum("failures"),
    runs: most("runs"),
    queue: most("queue"),
    memoryBytes: most("memoryBytes"),
  };
}

/** The last values, as many as there is room for. */
class Ring<T> {
  readonly #most: number;
  readonly #values: T[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  push(value: T): void {
    this.#values[this.#next] = value;
    this.#next = (this.#next + 1) % this.#most;
  }

  /** The oldest first. */
  values(): T[] {
    const isFull = this.#values.length === this.#most;
    return isFull
      ? [...this.#values.slice(this.#next), ...this.#values.slice(0, this.#next)]
      : [...this.#values];
  }
}

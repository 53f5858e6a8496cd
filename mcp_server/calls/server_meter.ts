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

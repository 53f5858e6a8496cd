import type { EndedCallRecord, FigureSample } from "../tool/live_calls.ts";
import { joinTallies, tallyOf, ToolTallies, type ToolTally } from "./tool_tally.ts";

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
    const isFull = this.#values.length === this.#most;
    return isFull
      ? [...this.#values.slice(this.#next), ...this.#values.slice(0, this.#next)]
      : [...this.#values];
  }
}

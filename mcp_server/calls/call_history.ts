import { type Caller, isAdmin } from "../access/caller.ts";
import type {
  CallHistory,
  EndedCallRecord,
  FigureSample,
  ServerFigures,
} from "../tool/live_calls.ts";

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

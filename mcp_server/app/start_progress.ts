import { createLog, type LogLevel } from "../shared/log.ts";

/** After this time a step of the start is reported, and again after twice, four times it and so on. */
const LATE_MS = 10_000;

/** How the progress of a start is reported. */
export interface ProgressOptions {
  readonly logLevel: LogLevel;
  /** When a step counts as late, in milliseconds. @default {10_000} */
  readonly lateMs?: number;
  /** Writes a line of the log. @default {to stderr} */
  readonly write?: (line: string) => void;
}

/**
 * What a server that starts waits for, and since when. Whoever looks at a start that hangs finds a
 * line in the log for each step that takes long.
 */
export class StartProgress {
  readonly #options: Required<ProgressOptions>;
  readonly #steps = new Set<{ readonly what: string; readonly since: number }>();

  /** Takes how it is reported. */
  constructor(options: ProgressOptions) {
    this.#options = { lateMs: LATE_MS, write: (line) => console.error(line.trimEnd()), ...options };
  }

  /** Does a step of the start. */
  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const step = { what, since: performance.now() };
    this.#steps.add(step);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reportAfter = (ms: number) => {
      timer = setTimeout(() => {
        this.#report(what, step.since);
        reportAfter(2 * ms);
      }, ms);
    };
    reportAfter(this.#options.lateMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#steps.delete(step);
    }
  }

  /** The first step that takes long; `undefined` if none does. */
  get late(): string | undefined {
    const oldest = [...this.#steps][0];
    if (oldest === undefined || performance.now() - oldest.since < this.#options.lateMs) {
      return undefined;
    }
    return `loading ${oldest.what} for ${secondsSince(oldest.since)} s`;
  }

  #report(waitsFor: string, since: number): void {
    const { logLevel: level, write } = this.#options;
    const log = createLog({ level, write, replacer: (_key, value) => value });
    log.warn("the server still starts", { loading: waitsFor, seconds: secondsSince(since) });
  }
}

function secondsSince(at: number): number {
  return Math.round((performance.now() - at) / 1_000);
}

import type { CallOptions } from "../../tool/service.ts";
import { MOST_WAITING } from "../../http/response_body.ts";

/** What a client gets a report as. */
export type ReportKind = "progress" | "notification";

/** What a call reports to the request that waits for it. */
export interface CallListeners
  extends Pick<CallOptions, "onProgress" | "onOutput" | "onNotification"> {
  /** Called with how many reports were left out, because they were too many before it waited. */
  readonly onLeftOut?: (kind: ReportKind, count: number) => void;
}

/** Passes one report on. */
export type Report = (listeners: CallListeners) => void | Promise<void>;

/** What a report is, and its length in characters. */
export interface ReportSize {
  readonly kind: ReportKind;
  readonly chars: number;
}

/** Reports that are kept before a tool that awaits them has to wait. */
const MOST_AT_ONCE = 100;
/** What each report counts in addition, so that empty ones are bounded, too. */
const EACH_CHARS = 100;

/**
 * What a call reports before a request listens, in order. A tool that awaits its reports waits while
 * there are many. Of one that doesn't await them, as much is kept as for a client that reads slowly,
 * and the listener gets the number of those left out.
 */
export class EarlyReports {
  readonly #kept: Report[] = [];
  readonly #leftOut = { progress: 0, notification: 0 };
  readonly #end = Promise.withResolvers<void>();
  #chars = 0;

  /** Whether nothing was reported. */
  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  /** Keeps a report; the promise resolves when there is room for the next one. */
  add(report: Report, { kind, chars }: ReportSize): Promise<void> {
    if (this.#chars < MOST_WAITING) {
      this.#chars += chars + EACH_CHARS;
      this.#kept.push(report);
    } else {
      this.#leftOut[kind]++;
    }
    return this.#kept.length < MOST_AT_ONCE ? Promise.resolve() : this.#end.promise;
  }

  /** Passes everything on; to be called once. */
  passOn(listeners: CallListeners): void {
    for (const report of this.#kept) void attempt(report, listeners);
    for (const kind of ["progress", "notification"] as const) {
      if (this.#leftOut[kind] > 0) listeners.onLeftOut?.(kind, this.#leftOut[kind]);
    }
    this.end();
  }

  /** Lets tools that wait go on: nobody will listen, or somebody does by now. */
  end(): void {
    this.#end.resolve();
  }
}

async function attempt(report: Report, listeners: CallListeners): Promise<void> {
  try {
    await report(listeners);
  } catch {
    // The tool has gone on: nobody waits for it.
  }
}

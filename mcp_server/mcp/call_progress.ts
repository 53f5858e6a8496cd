import { OutputDigest, type OutputEvent } from "../tool/command.ts";
import type { ProgressUpdate } from "../tool/result.ts";

/** One progress notification (MCP specification, "Progress"). */
export interface ProgressMessage {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/**
 * Sends a message; returns `false` if the client is too slow for it, unless it is the last one, which
 * is always sent.
 */
export type SendProgress = (message: ProgressMessage, isLast: boolean) => boolean;

/** How often a client receives progress of a silent call; many clients time out after 60 s. */
const HEARTBEAT_MS = 10_000;
/** At most how often, and how much of, the output is reported. */
const OUTPUT = { intervalMs: 250, maxChars: 4 * 1024 };
/** How much a message adds to the progress once the tool reports its own numbers. */
const SMALL_STEP = 0.001;

/** Says how many messages a client did not get. */
export function leftOutText(count: number): string {
  return `[... ${count} messages not shown here ...]`;
}

/**
 * Reports the progress of one call: the tool's own updates, its output, and a heartbeat. The
 * numbers increase with each message, as the specification requires.
 */
export class CallProgress implements Disposable {
  readonly #send: SendProgress;
  readonly #digest: OutputDigest;
  readonly #heartbeat: ReturnType<typeof setInterval>;
  readonly #startedAt = performance.now();
  #last = 0;
  #step = 1;
  #total: number | undefined;
  #leftOut = 0;

  /** Takes what sends a message; heartbeats are sent until the call is disposed of. */
  constructor(send: SendProgress, heartbeatMs: number = HEARTBEAT_MS) {
    this.#send = send;
    this.#digest = new OutputDigest({ ...OUTPUT, emit: ({ text }) => this.#say(text.trimEnd()) });
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
  }

  /** Passes on an update of the tool. */
  update({ progress, total, message }: ProgressUpdate): void {
    if (progress !== undefined) {
      this.#step = SMALL_STEP;
      this.#total = total;
    }
    this.#last = Math.max(this.#last + this.#step, progress ?? 0);
    this.#emit(message);
  }

  /** Passes on output; a flood is reduced. */
  output(event: OutputEvent): void {
    this.#digest.add(event);
  }

  /** Counts messages that were left out before they got here. */
  leaveOut(count: number): void {
    this.#leftOut += count;
  }

  /** Stops the heartbeats, and passes on the remaining output and how much was left out. */
  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
    this.#digest[Symbol.dispose]();
    if (this.#leftOut === 0) return;
    this.#last += this.#step;
    this.#emit(undefined, true);
  }

  #beat(): void {
    const seconds = Math.round((performance.now() - this.#startedAt) / 1_000);
    this.#say(`running for ${seconds} s`);
  }

  #say(message: string): void {
    if (message === "") return;
    this.#last += this.#step;
    this.#emit(message);
  }

  #emit(message: string | undefined, isLast = false): void {
    const said = this.#leftOut === 0 ? [] : [leftOutText(this.#leftOut)];
    const text = message === undefined ? said : [...said, message];
    const isSent = this.#send({
      progress: this.#last,
      ...(this.#total === undefined ? {} : { total: this.#total }),
      ...(text.length === 0 ? {} : { message: text.join("\n") }),
    }, isLast);
    this.#leftOut = isSent ? 0 : this.#leftOut + 1;
  }
}

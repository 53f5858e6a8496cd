import {
  isSpecType,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Backlog } from "../http/body.ts";
import { OutputDigest, type OutputEvent } from "../tool/command.ts";
import type { CallNotification, ProgressUpdate } from "../tool/result.ts";

/** How a call notifies its client. */
export type CallChannel = Pick<ServerContext["mcpReq"], "notify" | "log">;

/** What a request says of the reports that it wants. */
export interface WantedReports {
  /** The token of its progress notifications; without one, none are sent. */
  readonly progressToken?: string | number | undefined;
  /** What it says of itself since 2026-07-28, which has the level of log messages. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
}

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
type SendProgress = (message: ProgressMessage, isLast: boolean) => boolean;

/** How often a client receives progress of a silent call; many clients time out after 60 s. */
const HEARTBEAT_MS = 10_000;
/** At most how often, and how much of, the output is reported. */
const OUTPUT = { intervalMs: 250, maxChars: 4 * 1024 };
/** How much a message adds to the progress once the tool reports its own numbers. */
const SMALL_STEP = 0.001;

/** Says how many messages a client did not get. */
function leftOutText(count: number): string {
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

  /** Sends heartbeats until it is disposed of. */
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

/** From the least severe to the most severe (RFC 5424, section 6.2.1). */
const LEVELS: readonly unknown[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/**
 * Sends the notifications of one call: a log message only if the client requested its level, and
 * nothing to a client that doesn't read. A log message says how many were left out, at the latest at
 * the end of the call.
 */
export class CallNotifications implements Disposable {
  readonly #channel: CallChannel;
  readonly #backlog: Backlog;
  readonly #envelope: WantedReports["envelope"];
  #leftOut = 0;

  constructor(channel: CallChannel, backlog: Backlog, envelope?: WantedReports["envelope"]) {
    this.#channel = channel;
    this.#backlog = backlog;
    this.#envelope = envelope;
  }

  /** Sends one, or leaves it out. */
  send({ method, params }: CallNotification): Promise<void> {
    const message = { method, params: { ...params } };
    const isLog = isSpecType.LoggingMessageNotification(message);
    if (isLog && !this.#isWanted(message.params.level)) return Promise.resolve();
    if (this.#backlog.isFull) {
      this.#leftOut++;
      return Promise.resolve();
    }
    this.#report();
    this.#backlog.add(JSON.stringify(message).length);
    if (!isLog) return this.#channel.notify(message);
    const { level, data, logger } = message.params;
    return this.#channel.log(level, data, logger);
  }

  /** Says how many were left out; the call has ended. */
  [Symbol.dispose](): void {
    this.#report();
  }

  /** Whether a message of this level is sent, as the SDK decides: no other may fill the backlog. */
  #isWanted(level: LoggingLevel): boolean {
    if (this.#envelope === undefined) return true;
    const { [LOG_LEVEL_META_KEY]: least } = this.#envelope;
    return least !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf(least);
  }

  #report(): void {
    if (this.#leftOut === 0) return;
    const text = leftOutText(this.#leftOut);
    this.#leftOut = 0;
    this.#backlog.add(text.length);
    // A disconnected client can't be notified; its call is stopped by its signal.
    this.#channel.log("warning", text).catch(() => {});
  }
}

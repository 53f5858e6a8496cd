import {
  isSpecType,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Backlog } from "../http/body.ts";
import { OutputDigest, type OutputEvent } from "../tool/command.ts";
import type { CallOptions } from "../tool/service.ts";
import type { CallNotification, ProgressUpdate } from "../tool/result.ts";

/** What a running call reports. */
export type CallListeners = Pick<CallOptions, "onProgress" | "onOutput" | "onNotification">;

/** How a call notifies its client. */
export type CallChannel = Pick<ServerContext["mcpReq"], "notify" | "log">;

/** What a request says of the reports that it wants. */
interface WantedReports {
  /** The token of its progress notifications; without one, none are sent. */
  readonly progressToken?: string | number | undefined;
  /** What it says of itself since 2026-07-28, which has the level of log messages. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
}

/** Reports that wait for a connection before a tool that awaits them has to wait. */
const MOST_AT_ONCE = 100;

/**
 * What one call reports to its client: progress, output and notifications. They wait, in order, until
 * there is a connection; a tool that awaits them waits while there are many. Of what the client does
 * not read, and of what waits, only so much is kept as the backlog holds, and the client gets the
 * number of those left out.
 */
export class CallReports implements Disposable {
  readonly #channel = new LateChannel();
  readonly #notifications: CallNotifications;
  readonly #progressToken: string | number | undefined;
  readonly #backlog: Backlog;
  #progress: CallProgress | undefined;
  readonly #begun = Promise.withResolvers<void>();
  #isEmpty = true;
  #isOver = false;

  constructor({ progressToken, envelope }: WantedReports, backlog: Backlog) {
    this.#notifications = new CallNotifications(this.#channel, backlog, envelope);
    this.#progressToken = progressToken;
    this.#backlog = backlog;
  }

  /** Whether nothing was reported. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Resolves with the first report. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** What the call reports to. */
  readonly listeners: Required<CallListeners> = {
    onProgress: (update) => this.#reported()?.update(update),
    onOutput: (event) => this.#reported()?.output(event),
    onNotification: async (notification) => {
      this.#begin();
      await this.#notifications.send(notification);
    },
  };

  /** Sends what waits, and from now on everything at once. */
  connect(channel: CallChannel): void {
    this.#channel.connect(channel);
    this.#progress ??= this.#startProgress();
  }

  /** Lets a tool that waits go on, although there is no connection. */
  release(): void {
    this.#channel.release();
  }

  /** Sends the rest, and how much was left out; the call has ended. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#notifications[Symbol.dispose]();
    this.#progress?.[Symbol.dispose]();
    this.release();
  }

  /** The progress, if the client wants any, which then has begun. */
  #reported(): CallProgress | undefined {
    this.#progress ??= this.#startProgress();
    if (this.#progress !== undefined) this.#begin();
    return this.#progress;
  }

  #begin(): void {
    this.#isEmpty = false;
    this.#begun.resolve();
  }

  #startProgress(): CallProgress | undefined {
    const progressToken = this.#progressToken;
    if (progressToken === undefined || this.#isOver) return undefined;
    return new CallProgress((message, isLast) => {
      if (this.#backlog.isFull && !isLast) return false;
      const params = { progressToken, ...message };
      this.#backlog.add(JSON.stringify(params).length);
      // A disconnected client can't be notified; its call is stopped by its signal.
      this.#channel.notify({ method: "notifications/progress", params }).catch(() => {});
      return true;
    });
  }
}

/** A channel to which messages can be sent before it is connected. */
class LateChannel implements CallChannel {
  #channel: CallChannel | undefined;
  readonly #waiting: ((channel: CallChannel) => Promise<void>)[] = [];
  readonly #released = Promise.withResolvers<void>();

  connect(channel: CallChannel): void {
    this.#channel = channel;
    // Nobody waits for these: the tool has gone on.
    for (const send of this.#waiting.splice(0)) send(channel).catch(() => {});
    this.release();
  }

  release(): void {
    this.#released.resolve();
  }

  notify(message: Parameters<CallChannel["notify"]>[0]): Promise<void> {
    return this.#send(async (channel) => await channel.notify(message));
  }

  log(...message: Parameters<CallChannel["log"]>): Promise<void> {
    return this.#send(async (channel) => await channel.log(...message));
  }

  /** Sends a message, or keeps it; the promise resolves when there is room for the next one. */
  #send(send: (channel: CallChannel) => Promise<void>): Promise<void> {
    if (this.#channel !== undefined) return send(this.#channel);
    this.#waiting.push(send);
    return this.#waiting.length < MOST_AT_ONCE ? Promise.resolve() : this.#released.promise;
  }
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

import {
  isSpecType,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallNotification } from "../tool/tool.ts";
import { leftOutText } from "./call_progress.ts";
import type { Backlog } from "../http/response_body.ts";

/** How a call notifies its client, and what its request says of itself since 2026-07-28. */
type CallChannel = Pick<ServerContext["mcpReq"], "notify" | "log" | "envelope">;

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
  #leftOut = 0;

  /** Takes how to notify the client, and what it has not read yet. */
  constructor(channel: CallChannel, backlog: Backlog) {
    this.#channel = channel;
    this.#backlog = backlog;
  }

  /** Sends one, or leaves it out. */
  send({ method, params }: CallNotification): Promise<void> {
    const message = { method, params: { ...params } };
    const isLog = isSpecType.LoggingMessageNotification(message);
    if (isLog && !this.#isWanted(message.params.level)) return Promise.resolve();
    if (this.#backlog.isFull) {
      this.leaveOut(1);
      return Promise.resolve();
    }
    this.#report();
    this.#backlog.add(JSON.stringify(message).length);
    if (!isLog) return this.#channel.notify(message);
    const { level, data, logger } = message.params;
    return this.#channel.log(level, data, logger);
  }

  /** Counts notifications that were left out before they got here. */
  leaveOut(count: number): void {
    this.#leftOut += count;
  }

  /** Says how many were left out; the call has ended. */
  [Symbol.dispose](): void {
    this.#report();
  }

  /** Whether a message of this level is sent, as the SDK decides: no other may fill the backlog. */
  #isWanted(level: LoggingLevel): boolean {
    const { envelope } = this.#channel;
    if (envelope === undefined) return true;
    const { [LOG_LEVEL_META_KEY]: least }: Readonly<Record<string, unknown>> = envelope;
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

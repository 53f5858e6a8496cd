/** How much is logged; each level includes those after it. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Every level, the most talkative first. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Writes one line a call: a message, and an object with what belongs to it. */
export interface Log {
  /** Tells what only a developer wants to know. */
  debug(message: string, fields?: object): void;
  /** Tells what the server does. */
  info(message: string, fields?: object): void;
  /** Tells what an operator should look at. */
  warn(message: string, fields?: object): void;
  /** Tells what went wrong. */
  error(message: string, fields?: object): void;
}

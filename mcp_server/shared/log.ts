/** How much is logged; each level includes those after it. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Every level, the most verbose first. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Writes one line per call: a message, and an object with its details. */
export interface Log {
  /** Logs what only a developer needs to know. */
  debug(message: string, fields?: object): void;
  /** Logs what the server does. */
  info(message: string, fields?: object): void;
  /** Logs what an operator should look at. */
  warn(message: string, fields?: object): void;
  /** Logs what went wrong. */
  error(message: string, fields?: object): void;
}

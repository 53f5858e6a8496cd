import { toJsonLine } from "./line_sink.ts";

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

/** Where log lines go, and what they must not contain. */
interface LogOptions {
  /** Writes one line, including its line end. */
  readonly write: (line: string) => void;
  readonly level: LogLevel;
  /** Redacts secrets; see `JSON.stringify()`. */
  readonly replacer: (key: string, value: unknown) => unknown;
}

/**
 * Creates a log of JSON lines: `time` (ISO 8601, UTC), `level`, `message`, then the fields. A field
 * that JSON can't represent is named instead of written; logging never throws.
 */
export function createLog(options: LogOptions, extra: object = {}): Log {
  const { write, level, replacer } = options;
  const line = (at: LogLevel) => (message: string, fields: object = {}) => {
    if (LOG_LEVELS.indexOf(at) < LOG_LEVELS.indexOf(level)) return;
    const record = { time: new Date().toISOString(), level: at, message, ...extra, ...fields };
    write(toJsonLine(toJson(record, replacer)));
  };
  return { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
}

function toJson(record: object, replacer: LogOptions["replacer"]): string {
  try {
    return JSON.stringify(record, (key, value) => replacer(key, toLoggable(value)));
  } catch (cause) {
    return JSON.stringify(
      { ...record, fields: `not JSON: ${String(cause)}` },
      (key, value) =>
        typeof value === "object" && key !== "" ? undefined : replacer(key, toLoggable(value)),
    );
  }
}

function toLoggable(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`;
  return value;
}

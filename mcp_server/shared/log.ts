import { firstOf } from "./concurrency.ts";

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

const encoder = new TextEncoder();

/** A destination for whole lines. */
export interface LineSink {
  /** Writes a line, including its line end, in the background. Never throws. */
  write(line: string): void;
  /** Resolves when the waiting lines are written. */
  flush(): Promise<void>;
}

/** A destination that also says when a line has arrived. */
export interface PromptSink extends LineSink {
  /**
   * Writes the lines up to now without delay. Resolves once that is done, or as soon as the destination
   * has accepted nothing for 100 ms: what waits for a line must not wait for a reader.
   */
  written(): Promise<void>;
}

/** How long the first line of a batch waits for others: a write takes as long as a short call. */
const STDERR_DELAY_MS = 2;

/**
 * Lines on stderr, or on another stream. They are written in the background, because a pipe that
 * nobody reads would otherwise block the whole server once it is full. Lines beyond the buffer are
 * dropped, and a line says how many; a closed stream does not stop the server.
 */
export function stderrSink(
  stream: { write(bytes: Uint8Array): Promise<number> } = Deno.stderr,
): PromptSink {
  let dropped = 0;
  return new BackgroundLines({
    async write(lines) {
      try {
        await writeAll(stream, lines.join(""));
      } catch {
        // There is nowhere else to report it.
      }
      if (dropped === 0) return undefined;
      const notice = `{"level":"warn","message":"${dropped} lines dropped"}\n`;
      dropped = 0;
      return notice;
    },
    onOverflow: () => void dropped++,
  }, { delayMs: STDERR_DELAY_MS });
}

async function writeAll(
  stream: { write(bytes: Uint8Array): Promise<number> },
  text: string,
): Promise<void> {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length;) at += await stream.write(bytes.subarray(at));
}

/** How long a destination may take to accept lines before nothing waits for it. */
const PATIENCE_MS = 100;

/** Characters that may wait to be written; further lines are dropped. */
const MOST_WAITING = 1024 * 1024;

/** Where a {@linkcode BackgroundLines} writes, and what happens to dropped lines. */
interface LineTarget {
  /** Writes lines; never rejects. Resolves with a further line to write, if there is one to add. */
  write(lines: readonly string[]): Promise<string | undefined>;
  /** Called with a line that is dropped because earlier lines still wait to be written. */
  onOverflow(line: string): void;
}

/**
 * Writes lines in order, in batches, without blocking the caller: a batch is what arrived while the
 * previous batch was written. At most 1 MiB (1,048,576 characters) waits.
 */
export class BackgroundLines {
  readonly #target: LineTarget;
  readonly #delayMs: number;
  #waiting: string[] = [];
  #length = 0;
  #writing: Promise<void> | undefined;
  #startNow: (() => void) | undefined;
  /** Those who wait until the lines are written that wait now. */
  #batch: PromiseWithResolvers<void> | undefined;
  /** Whether the target takes so long that nobody waits for it. */
  #isStalled = false;

  constructor(target: LineTarget, options: { readonly delayMs?: number } = {}) {
    const { delayMs = 0 } = options;
    this.#target = target;
    this.#delayMs = delayMs;
  }

  /** Writes a line in the background. Never throws. */
  write(line: string): void {
    if (this.#length + line.length > MOST_WAITING) return this.#target.onOverflow(line);
    this.#waiting.push(line);
    this.#length += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Writes the waiting lines without delay; see {@linkcode PromptSink}. */
  async written(): Promise<void> {
    if (this.#isStalled || this.#waiting.length === 0) return;
    this.#startNow?.();
    this.#batch ??= Promise.withResolvers();
    await this.#batch.promise;
  }

  /** Resolves when all lines are written. */
  async flush(): Promise<void> {
    this.#startNow?.();
    await this.#writing;
  }

  /** Discards the waiting lines and returns them. */
  takeWaiting(): readonly string[] {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    return lines;
  }

  async #writeAll(): Promise<void> {
    await this.#delay();
    while (this.#waiting.length > 0) {
      const addition = await this.#writeBatch();
      if (addition === undefined) continue;
      this.#waiting.push(addition);
      this.#length += addition.length;
    }
    this.#writing = undefined;
  }

  async #writeBatch(): Promise<string | undefined> {
    const batch = this.#batch;
    this.#batch = undefined;
    const giveUp = () => {
      this.#isStalled = true;
      batch?.resolve();
      this.#batch?.resolve();
    };
    using _patience = firstOf({ timeoutMs: PATIENCE_MS }, giveUp);
    const addition = await this.#target.write(this.takeWaiting());
    this.#isStalled = false;
    batch?.resolve();
    return addition;
  }

  async #delay(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#delayMs === 0) return await Promise.resolve();
    const timer = setTimeout(resolve, this.#delayMs);
    this.#startNow = resolve;
    await promise;
    clearTimeout(timer);
    this.#startNow = undefined;
  }
}

/** What JSON leaves as it is, and a terminal or a reader of lines may act on: C1 and line ends. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

/** A line of a log or of the audit, with its line end: JSON without any control character. */
export function toJsonLine(json: string): string {
  return `${json.replaceAll(CONTROLS, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Redacts secrets in what is logged. */
interface Redactor {
  /** Replaces every secret in a text. */
  text(text: string): string;
  /**
   * For `JSON.stringify()`: replaces secrets in texts, and the whole value of a key that names a
   * secret.
   */
  replacer(key: string, value: unknown): unknown;
}

/** What is shown in place of a secret that has no name. */
export const REDACTED = "[redacted]";
const SECRET_KEY = /token|passw|passphrase|secret|authorization|cookie|credential|api_?key/i;
const SHORTEST_SECRET = 4;

/**
 * Creates a redactor for the given secrets. A secret of fewer than 4 characters is not redacted,
 * because it would match parts of ordinary words. What is logged is masked in addition.
 */
export function createRedactor(
  secrets: readonly string[],
  mask: (text: string) => string = (text) => text,
): Redactor {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const text = (value: string) =>
    known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), value);
  return {
    text,
    replacer: (key, value) => {
      if (namesSecret(key, value)) return REDACTED;
      return typeof value === "string" ? mask(text(value)) : value;
    },
  };
}

/** Whether the whole value of a key is a secret, as its name says. */
export function namesSecret(key: string, value: unknown): boolean {
  return SECRET_KEY.test(key) && !areNames(key, value);
}

/** Whether a value is the list of names by which a call asks for secrets. */
function areNames(key: string, value: unknown): boolean {
  return key === "secrets" && Array.isArray(value) &&
    value.every((name) => typeof name === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(name));
}

/** Variables whose values are secrets of the server. */
const SECRET_NAME =
  /^(MCP_TOKEN|MCP_JOBS_URL|MCP_DATABASE_.+|MCP_.*PASSW.*|DATABASE_URL|PGPASSWORD)$|PASSPHRASE/;

/** Collects the secret values of an environment, and the passwords inside its URLs. */
export function secretsOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== "")
    .flatMap(([name, value]) =>
      name === "MCP_TOKEN"
        ? value.split(",").map((token) => token.trim())
        : [value, ...password(value)]
    );
}

function password(value: string): string[] {
  const found = URL.parse(value)?.password ?? "";
  return found === "" ? [] : [found, decoded(found)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

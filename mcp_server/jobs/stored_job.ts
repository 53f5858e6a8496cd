import type { Caller } from "../access/caller.ts";
import { namesSecret, REDACTED } from "../shared/log.ts";
import { isJsonObject, jsonMemory, type JsonObject, withoutUnset } from "../shared/json.ts";
import {
  isFinal,
  type Job,
  JobError,
  MOST_RETRIES,
  routesOf,
  type ServerLabels,
  toOutputRange,
  toRoute,
} from "../tool/job.ts";
import { type CallOutcome, outputOf, type Refusal } from "../tool/result.ts";
import { type CallEnding, endingOf } from "../tool/ending.ts";
import type { Creation, NewJob, StoredJob } from "./job_store.ts";
import type { Limits } from "../shared/limits.ts";
import type { TerminalSize } from "../tool/command.ts";
import type { JobRequest } from "../tool/job_service.ts";

/** The job that a request asks for, before it is stored; rejects if its key has no valid length. */
export async function toNewJob(
  caller: Caller,
  request: JobRequest,
  { limits: { jobOutputBytes: outputBytes }, redact, idempotencyKey, ...known }: {
    readonly limits: Pick<Limits, "jobOutputBytes">;
    /** @default {a new one} */
    readonly id?: string;
    /** In milliseconds since 1970. @default {now} */
    readonly createdAt?: number;
    /** Replaces secrets in its title and its arguments. */
    readonly redact: (text: string, caller: Caller) => string;
    readonly idempotencyKey?: string | undefined;
  },
): Promise<NewJob> {
  const { tool, args, stdin = false } = request;
  const { id = crypto.randomUUID(), createdAt = Date.now() } = known;
  const tty = terminalOf(request);
  return {
    id,
    tool,
    title: titleOf(request, (text) => redact(text, caller)),
    caller: caller.name,
    stdin: stdin || tty !== undefined,
    keptCall: () => toKeptCall({ args, tty }, (text) => redact(text, caller)),
    createdAt,
    outputBytes,
    maxOfCaller: caller.rights?.maxJobs,
    idempotency: idempotencyKey === undefined
      ? undefined
      : { key: idempotencyKey, digest: await toDigest(idempotencyKey, request) },
  };
}

/** How many characters a title has at most: one that is given, and what is shown of a command. */
const MOST_TITLE = { given: 200, shown: 60 };
/** So much of a text decides what its title is, however much of it is redacted. */
const MOST_READ = 64 * 1024;
/** The arguments that say what a call runs, the most telling ones first. */
const RUN_KEYS = ["command", "script", "commands", "queries", "batches", "connections", "path"];

/**
 * The title of a job: the given one, else its tool and the beginning of what it runs. Secrets are
 * redacted before anything is cut, and white space and control characters become single spaces.
 */
export function titleOf(
  { tool, args, title }: JobRequest,
  redact: (text: string) => string,
): string {
  const line = (text: string) =>
    redact(text.slice(0, MOST_READ)).replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  const given = startOf(line(title ?? ""), MOST_TITLE.given);
  if (given !== "") return given;
  const shown = startOf(line(whatRuns(args) ?? ""), MOST_TITLE.shown);
  return startOf(shown === "" ? tool : `${tool}: ${shown}`, MOST_TITLE.given);
}

/** The first text of the arguments that say what runs. */
function whatRuns(args: unknown): string | undefined {
  if (typeof args === "string") return args;
  if (Array.isArray(args)) return whatRuns(args[0]);
  if (!isJsonObject(args)) return undefined;
  for (const key of RUN_KEYS) {
    const found = whatRuns(args[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first characters of a text; none is cut. */
function startOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "").toWellFormed();
}

/** The longest key that is accepted. */
const MOST_KEY = 255;

/**
 * A digest of a request's tool and arguments, independent of the order of keys (SHA-256,
 * hexadecimal). It is salted with the key, so that guessing can't reveal an argument.
 */
export async function toDigest(key: string, request: JobRequest): Promise<string> {
  if (key === "" || key.length > MOST_KEY) {
    throw new JobError(
      `Cannot use an idempotency key of ${key.length} characters: it must have 1 to ${MOST_KEY}`,
      { code: "INVALID_ARGUMENTS" },
    );
  }
  const { tool, args = {}, stdin = false, on, retries = 0 } = request;
  const placement = isPlaced(request) ? [on ?? "", retries] : [];
  const terminal = terminalOf(request);
  const rest = terminal === undefined ? placement : [...placement, terminal];
  const text = JSON.stringify([key, tool, args, stdin, ...rest], sortKeys);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

const USUAL_SIZE: TerminalSize = Object.freeze({ rows: 24, cols: 80 });
const MOST_SIZE = 1_000;

/** The terminal of a job, if it has one. Throws a `JobError` if its size is out of range. */
export function terminalOf({ tty = false }: JobRequest): TerminalSize | undefined {
  if (typeof tty === "boolean") return tty ? USUAL_SIZE : undefined;
  const { rows, cols } = tty;
  const isFine = [rows, cols].every((size) =>
    Number.isInteger(size) && size >= 1 && size <= MOST_SIZE
  );
  if (isFine) return { rows, cols };
  throw refusedPlace(
    `on a terminal of ${rows} rows and ${cols} columns: there may be 1 to ${MOST_SIZE}`,
  );
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1));
}

/** Whether a job says where it runs, or that it may be started again. */
export function isPlaced({ on, retries = 0 }: JobRequest): boolean {
  return on !== undefined || retries > 0;
}

/** Throws a `JobError` unless `on` and `retries` of a job have their form. */
export function ensurePlacement({ on, retries = 0 }: JobRequest): void {
  toRoute(on);
  if (Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES) return;
  throw refusedPlace(`with ${retries} retries: there may be 0 to ${MOST_RETRIES}`);
}

/** Throws a `JobError` unless a job may run on this server, where it can't be passed on. */
export function ensureHere({ on, retries = 0 }: JobRequest, labels: ServerLabels): void {
  if (retries > 0) {
    const state = "nobody could start it again; jobs are shared by MCP_JOBS_URL";
    throw refusedPlace(`with retries: ${state}`);
  }
  if (on === undefined || routesOf(labels).includes(toRoute(on))) return;
  throw refusedPlace(
    `on "${on}": it would run on "name:${labels.name}"; jobs are passed on by MCP_JOBS_URL`,
  );
}

function refusedPlace(state: string): JobError {
  return new JobError(`Cannot start the job ${state}`, { code: "INVALID_ARGUMENTS" });
}

/** Rejects a job as the plain call would be. */
export function refusedStart(refusal: Refusal): JobError {
  const { kind: code, message } = refusal;
  return new JobError(message, { code, refusal });
}

/** Rejects a job whose store has not answered in time. */
export function silentStore(): JobError {
  const message = "Cannot start the job: its store does not answer; try again later";
  return new JobError(message, { code: "JOBS_UNAVAILABLE" });
}

/** Rejects a job while too many are live: of its caller, or on the whole server. */
export function tooManyJobs(
  { caller, maxOfCaller }: NewJob,
  maxJobs: number,
  { of }: Creation & { readonly kind: "full" },
): JobError {
  const live = of === "caller"
    ? `${maxOfCaller} jobs of the caller "${caller}" are live (maxJobs)`
    : `${maxJobs} jobs are live`;
  return new JobError(`Cannot start the job: ${live}; cancel one, or try again later`, {
    code: "BUSY",
  });
}

/** Rejects a job whose idempotency key has started another one. */
export function keyReused(): JobError {
  return new JobError(
    "Cannot start the job: the key was used for another tool or other arguments; use a new key",
    { code: "IDEMPOTENCY_KEY_REUSED" },
  );
}

/** A stored job as callers see it, with its result if the outcome is given. */
export function toJob(stored: StoredJob, outcome?: CallOutcome): Job {
  const { id, tool, title, state, caller, stdin, length, outputBytes, error } = stored;
  const { createdAt, startedAt, endedAt, expiresAt, serverName: server, attempt, waiting } = stored;
  const { questions } = stored;
  return {
    id,
    tool,
    ...(title === undefined ? {} : { title }),
    state,
    caller,
    ...withoutUnset({ server, attempt, waiting, questions }),
    createdAt: toIso(createdAt),
    ...(startedAt === undefined ? {} : { startedAt: toIso(startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: toIso(endedAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: toIso(expiresAt) }),
    ...toEnding(stored, outcome),
    ...(stdin ? { stdin } : {}),
    output: {
      stdout: toOutputRange(length.stdout, outputBytes),
      stderr: toOutputRange(length.stderr, outputBytes),
    },
    ...(isFinal(state) && outcome?.ok === true ? { result: toResult(outcome) } : {}),
    ...(error === undefined ? {} : { error }),
  };
}

/** How a job has ended; the row of an older version has no ending. */
function toEnding({ state, ending }: StoredJob, outcome?: CallOutcome): Partial<CallEnding> {
  if (state === "queued" || state === "running") return {};
  if (state !== "completed") return { outcome: state };
  return ending ?? (outcome?.ok === true ? endingOf(toResult(outcome)) : {});
}

/** The response of the HTTP API to a call. */
function toResult({ result }: CallOutcome & { ok: true }): JsonObject {
  const output = outputOf(result);
  const { structuredContent: data } = result;
  return output === data ? data : JSON.parse(JSON.stringify(output));
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

/** The most characters of JSON text that are kept of the arguments of a job. */
const MOST_CHARS = 64 * 1024;

/** Arguments whose values are kept for nobody: what commands read, and their variables. */
const UNKEPT: ReadonlySet<string> = new Set(["env", "stdin"]);

/**
 * The text that is kept of the call of a job: its terminal, and its arguments as JSON with the secrets
 * redacted that `redact()` finds in a text, or the name of a key says, and without the values of
 * variables and of input. Arguments are left out if they are longer than 64 Ki characters, or no object.
 */
export function toKeptCall(
  { args = {}, tty }: { readonly args?: unknown; readonly tty: Job["tty"] },
  redact: (text: string) => string,
): string {
  if (!isJsonObject(args)) return JSON.stringify({ tty });
  let argsMasked: true | undefined;
  const mask = (key: string, value: unknown): unknown => {
    const shown = maskValue(key, value, redact);
    if (shown !== value) argsMasked = true;
    return shown;
  };
  const kept = JSON.stringify(args, mask);
  if (kept.length > MOST_CHARS) return JSON.stringify({ tty });
  return JSON.stringify({ args: JSON.parse(kept), argsMasked, tty });
}

function maskValue(key: string, value: unknown, redact: (text: string) => string): unknown {
  if (UNKEPT.has(key)) return withoutTexts(value);
  if (namesSecret(key, value)) return REDACTED;
  return typeof value === "string" ? redact(value) : value;
}

/** The names of variables stay; a flag is no input. */
function withoutTexts(value: unknown): unknown {
  if (typeof value === "string") return REDACTED;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, REDACTED]));
}

/** Reads what {@linkcode toKeptCall} wrote. */
export function parseKeptCall(text: string): Pick<Job, "args" | "argsMasked" | "tty"> {
  return JSON.parse(text);
}

/** The part of the budget that the jobs of one caller may take. */
const SHARE_OF_CALLER = 1 / 2;

/**
 * Bounds the memory of the arguments of jobs that wait: in all, and half of it for each caller, so
 * that the jobs of one caller leave room for those of others.
 */
export class ArgumentBudget {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes wait. */
  get total(): number {
    return this.#total;
  }

  /** Counts the arguments of a job until it is disposed of; throws `BUSY` if they are too many. */
  hold(caller: string, args: unknown): Disposable {
    const ofCaller = this.#held.get(caller) ?? 0;
    const most = Math.floor(this.#most * SHARE_OF_CALLER);
    const room = Math.min(this.#most - this.#total, most - ofCaller);
    const bytes = jsonMemory(args, room);
    if (bytes > room) throw this.#busy(caller, { ofCaller, most });
    this.#total += bytes;
    this.#held.set(caller, ofCaller + bytes);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(caller, bytes);
        isHeld = false;
      },
    };
  }

  #release(caller: string, bytes: number): void {
    this.#total -= bytes;
    const left = (this.#held.get(caller) ?? 0) - bytes;
    if (left === 0) this.#held.delete(caller);
    else this.#held.set(caller, left);
  }

  #busy(caller: string, { ofCaller, most }: { ofCaller: number; most: number }): JobError {
    const state = `the arguments of waiting jobs may take ${this.#most} bytes of memory, ` +
      `${most} for each caller (MCP_MAX_JOB_ARGS_BYTES); those of "${caller}" take ${ofCaller}, ` +
      `those of all ${this.#total}, and these would be too many`;
    const message =
      `Cannot start the job: ${state}; pass less, or try again once jobs have started`;
    return new JobError(message, { code: "BUSY" });
  }
}

import { quote, ToolError } from "../shared/error.ts";
import type { JsonObject } from "../shared/json.ts";
import type { OutputStream, TerminalSize } from "./command.ts";
import type { ProgressUpdate, Refusal } from "./result.ts";
import type { CallEnding, EndingKind } from "./ending.ts";

/**
 * The state of a job. `completed`: the tool returned, whatever the exit code. `failed`: the call
 * was rejected or crashed. `lost`: the server that ran it is gone, so its result is unknown.
 */
export type JobState = "queued" | "running" | "completed" | "failed" | "cancelled" | "lost";

/** A question that waits for the user's reply. */
export interface ShownQuestion {
  /** What the user reads. */
  readonly message: string;
  /** JSON Schema of the answer: an object of texts, numbers, booleans and enums. */
  readonly schema: JsonObject;
  /** When it was asked (ISO 8601). */
  readonly askedAt: string;
  /** Whether the answer approves the call, which only the user of its own MCP client may. */
  readonly approves?: true;
}

/** The questions that wait, by a key that is never used for another one. */
export type ShownQuestions = Readonly<Record<string, ShownQuestion>>;

/** Every state, in the order of a job's life. */
export const JOB_STATES: readonly JobState[] = Object.freeze(
  ["queued", "running", "completed", "failed", "cancelled", "lost"],
);

/** Every way in which a job may end. */
export const JOB_OUTCOMES: readonly EndingKind[] = Object.freeze(
  ["ok", "failed", "timeout", "cancelled", "lost"],
);

/** Whether a job in this state never changes again. */
export function isFinal(state: JobState): boolean {
  return state !== "queued" && state !== "running";
}

/** Bytes that are not kept: from `from` up to, but not including, `to`. */
export interface OutputGap {
  /** Offset of the first byte that is missing. */
  readonly from: number;
  /** Offset of the first byte after the gap. */
  readonly to: number;
}

/** Which bytes of a stream are kept, by offset; the first byte of the stream has offset 0. */
export interface OutputRange {
  /** Offset of the first byte that is kept. */
  readonly start: number;
  /** Offset after the last byte that is kept: the length of the stream so far. */
  readonly end: number;
  /** The gap between head and tail, if the stream is longer than its kept part. */
  readonly gap?: OutputGap;
}

/** Why a job has no result. */
export interface JobFailure {
  /** Stable name of the failure; that of a plain call, or `JOB_LOST`. */
  readonly code: string;
  /** What was wrong; free of the server's secrets. */
  readonly message: string;
}

/**
 * A tool call that continues by itself. Times are ISO 8601; optional keys appear if they apply. Once
 * it has ended, it says how; where an older version ran it, only together with its result.
 */
export interface Job extends Partial<CallEnding> {
  /** Unguessable; also the id of the job as an MCP task. */
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  /** What it does, for people; absent for a job of an older version. */
  readonly title?: string;
  /** The state of the job. */
  readonly state: JobState;
  /** Name of the caller that started it. */
  readonly caller: string;
  /** Name of the server that runs it, or ran it; absent while it waits, and where jobs aren't shared. */
  readonly server?: string;
  /** Which run it is, from 1; absent where jobs aren't shared. */
  readonly attempt?: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it got its permit; absent if it never ran. */
  readonly startedAt?: string;
  /** When it became final. */
  readonly endedAt?: string;
  /** When the job is removed; known once the job has ended. */
  readonly expiresAt?: string;
  /** Whether the job takes input, and so was started with `stdin: true`. */
  readonly stdin?: true;
  /** The kept parts of the output. */
  readonly output: Readonly<Record<OutputStream, OutputRange>>;
  /**
   * Its arguments without secrets, the values of variables and input; only over HTTP, by its id, and
   * absent if they are longer than 64 Ki characters.
   */
  readonly args?: JsonObject;
  /** Whether something is missing in `args`, so that they can't be used as they are. */
  readonly argsMasked?: true;
  /** Its terminal, if it was started with one; where `args` are. */
  readonly tty?: TerminalSize;
  /** The tool's output, as a call returns it; omitted in lists of jobs. */
  readonly result?: JsonObject;
  /** Why it has no result, unless it is completed. */
  readonly error?: JobFailure;
  /** What it waits for here before it begins; absent if it waits for nothing but its turn. */
  readonly waiting?: "approval";
  /** What it asks its user, by key; absent if it asks nothing. */
  readonly questions?: ShownQuestions;
}

/** The part of the kept bytes that is the head of a stream; the others are the latest bytes. */
const HEAD_SHARE = 16;

/** Computes which bytes of a stream of `length` bytes are kept if `most` may be kept. */
export function toOutputRange(length: number, most: number): OutputRange {
  if (length <= most) return { start: 0, end: length };
  const head = Math.floor(most / HEAD_SHARE);
  return { start: 0, end: length, gap: { from: head, to: length - (most - head) } };
}

/** A position in everything that happens to a job; each event carries the position after it. */
export interface WatchCursor {
  /** Bytes of stdout that were seen. */
  readonly stdout: number;
  /** Bytes of stderr that were seen. */
  readonly stderr: number;
  /** Other events that were seen: changes of state, and progress. */
  readonly events: number;
}

/** The position before everything. */
export const JOB_START: WatchCursor = Object.freeze({ stdout: 0, stderr: 0, events: 0 });

/** What happens to a job. */
export type JobEvent =
  & { readonly cursor: WatchCursor }
  & (
    | {
      readonly type: OutputStream;
      /** Offset of the first byte. */
      readonly offset: number;
      /** Whole characters, if the output is UTF-8. */
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
    | { readonly type: "gap"; readonly stream: OutputStream; readonly gap: OutputGap }
    | { readonly type: "progress"; readonly update: ProgressUpdate }
    | { readonly type: "state"; readonly state: JobState }
  );

/** Why something can't be done with a job. */
export type JobErrorCode =
  /** No such job: the id is unknown, the job has expired, or it is another caller's. */
  | "JOB_NOT_FOUND"
  /** The job has not ended yet, which is required to delete it. */
  | "JOB_NOT_ENDED"
  /** The job does not run, which is required to write its input. */
  | "JOB_NOT_RUNNING"
  /** The job was not started with `stdin: true`. */
  | "JOB_WITHOUT_STDIN"
  /** The input of the job has ended, or nothing reads it anymore. */
  | "STDIN_CLOSED"
  /** There is no byte at that offset, not yet or no longer; see `nextOffset`. */
  | "BAD_OFFSET"
  /** The cursor of a list was not created by the server. */
  | "BAD_CURSOR"
  /** The same key was sent with another tool or other arguments. */
  | "IDEMPOTENCY_KEY_REUSED"
  /** Too many jobs are live, or too much input waits to be read. */
  | "BUSY"
  /** The disk on which jobs are kept is full. */
  | "STORAGE_FULL"
  /** Jobs can't be kept at all; the message says why. */
  | "JOBS_UNAVAILABLE"
  /** The tool is unknown, its arguments are wrong, or the server stops: see `refusal`. */
  | Refusal["kind"];

/** Details of a {@linkcode JobError}. */
export interface JobErrorOptions {
  /** Stable name of the refusal. */
  readonly code: JobErrorCode;
  /** The refusal of a job that was not started. */
  readonly refusal?: Refusal;
  /** The next offset at which there is a byte. */
  readonly nextOffset?: number;
  /** What caused it. */
  readonly cause?: unknown;
}

/** A refusal of the job functions; its message and code reach the caller unchanged. */
export class JobError extends ToolError {
  /** Name of the error class. */
  override readonly name: string = "JobError";
  /** Stable name of the refusal. */
  declare readonly code: JobErrorCode;
  /** The refusal of a plain call, if the job was rejected at its start. */
  readonly refusal: Refusal | undefined;
  /** For `BAD_OFFSET`: the next offset at which there is, or will be, a byte. */
  readonly nextOffset: number | undefined;

  /** Takes the message for the caller, the code, and details. */
  constructor(message: string, options: JobErrorOptions) {
    super(message, options);
    this.refusal = options.refusal;
    this.nextOffset = options.nextOffset;
  }
}

/** The tables of jobs are missing, and the server may not create them; the operator runs `sql`. */
export class JobSetupError extends JobError {
  /** Name of the error class. */
  override readonly name: string = "JobSetupError";
  /** What a role with more rights has to run once. */
  readonly sql: string;

  /** Takes the message, the SQL that solves it, and what caused it. */
  constructor(message: string, { sql, cause }: { sql: string; cause: unknown }) {
    super(message, { code: "JOBS_UNAVAILABLE", cause });
    this.sql = sql;
  }
}

/** Valid names and labels of servers. */
export const SERVER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** How often a job may be started again. */
export const MOST_RETRIES = 10;

/** Whether a server takes jobs, or is to stop and waits for those that run. */
export type ServerState = "ready" | "draining";

/** A server of the fleet. */
export interface FleetServer {
  /** Its `MCP_NAME`. */
  readonly name: string;
  /** Its `MCP_LABELS`. */
  readonly labels: readonly string[];
  /** Version of Trestle. */
  readonly version: string;
  /** `draining` once it is to stop: it takes no more jobs. */
  readonly state: ServerState;
  /** How many commands run there, and how many calls and jobs wait for a permit there. */
  readonly load: { readonly runs: number; readonly queue: number };
  /** When it renewed its lease last, in ISO 8601. */
  readonly lastHeartbeat: string;
}

/** How a server is known to the others. */
export type ServerLabels = Pick<FleetServer, "name" | "labels">;

/** What a server says about itself. */
export type ServerIdentity = Pick<FleetServer, "name" | "labels" | "version">;

/** The queue of jobs that any server may take. */
export const ANY_ROUTE = "any";

const NAME_PREFIX = "name:";

/**
 * The queue of the jobs with an `on`: `name:web-3` is that of one server, any other word that of all
 * servers with the label. Throws a `JobError` if it is neither.
 */
export function toRoute(on: string | undefined): string {
  if (on === undefined) return ANY_ROUTE;
  const isName = on.startsWith(NAME_PREFIX);
  const word = isName ? on.slice(NAME_PREFIX.length) : on;
  if (SERVER_NAME.test(word)) return `${isName ? "name" : "label"}.${word}`;
  throw new JobError(
    `Cannot start the job on ${quote(on)}: it must be a label or name:<server>`,
    { code: "INVALID_ARGUMENTS" },
  );
}

/** The queues from which a server takes jobs, in order. */
export function routesOf({ name, labels }: ServerLabels): string[] {
  return [`name.${name}`, ...labels.map((label) => `label.${label}`), ANY_ROUTE];
}

/** Where a job runs, and how often it is started again. */
export interface Placement {
  readonly on?: string;
  readonly retries?: number;
}

/** What a request says about it; the detail says which key is wrong. */
export type ParsedPlacement =
  | { readonly ok: true; readonly placement: Placement }
  | { readonly ok: false; readonly detail: string };

/** The keys of a call's metadata in MCP. */
const META_KEYS = { on: "io.trestle/on", retries: "io.trestle/retries" } as const;

/** Reads `on` and `retries` of a request, which are absent unless they are given. */
export function parsePlacement(
  { on, retries }: { readonly on?: unknown; readonly retries?: unknown },
  names: { readonly on: string; readonly retries: string } = { on: "on", retries: "retries" },
): ParsedPlacement {
  if (on !== undefined && typeof on !== "string") {
    return { ok: false, detail: `"${names.on}" must be a label or name:<server>` };
  }
  const isCount = retries === undefined ||
    typeof retries === "number" && Number.isInteger(retries) && retries >= 0 &&
      retries <= MOST_RETRIES;
  if (!isCount) return { ok: false, detail: `"${names.retries}" must be 0 to ${MOST_RETRIES}` };
  return {
    ok: true,
    placement: {
      ...(on === undefined ? {} : { on }),
      ...(retries === undefined ? {} : { retries }),
    },
  };
}

/** Reads both from the metadata of an MCP call; `undefined` if it has neither. */
export function placementOfMeta(
  meta: Readonly<Record<string, unknown>> = {},
): ParsedPlacement | undefined {
  const { [META_KEYS.on]: on, [META_KEYS.retries]: retries } = meta;
  if (on === undefined && retries === undefined) return undefined;
  return parsePlacement({ on, retries }, META_KEYS);
}

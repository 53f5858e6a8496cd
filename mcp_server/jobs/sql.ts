import type { CallOutcome } from "../tool/result.ts";
import { type CallEnding, endingOf } from "../tool/ending.ts";
import { isJsonObject } from "../shared/json.ts";
import type { ShownQuestions } from "../tool/job.ts";
import { JOB_STATES, type JobFailure, type JobState } from "../tool/job.ts";
import type { AddressedCommand, JobCommand, NumberedEntry, StoredJob } from "./job_store.ts";

/** A row of a database; PostgreSQL's numbers of 64 bits are texts. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * A statement with its values, in PostgreSQL's dialect: `$1` is the first value, and `~` stands before
 * the names of tables.
 */
export type Statement = readonly [text: string, ...values: unknown[]];

/**
 * What is to be done in a database: yields statements, and is continued with the rows of the last one.
 * So the same code runs at once where an answer is there at once (SQLite, where nothing may come
 * between the statements of a transaction), and waits for each answer elsewhere. Statements that are
 * yielded together may be sent as one: none sees what another one does, no two change the same row,
 * and all but the last one change something.
 */
export type Work<T> = Generator<Step, T, Row[]>;

/** Statements that are yielded together. */
export type Step = readonly Statement[] & {
  /** Whether nobody reads the rows, so that the next statements need not wait for them. */
  readonly isUnread?: boolean;
};

/** Statements whose rows nobody reads: the work is continued at once, with no rows. */
export function unread(statements: readonly Statement[]): Step {
  return Object.assign([...statements], { isUnread: true });
}

/** One statement, to be yielded by itself. */
export function sql(...statement: Statement): readonly Statement[] {
  return [statement];
}

/** Each number of rows is a text of its own, which SQLite keeps prepared. */
const ROWS_AT_ONCE = 20;

/** Inserts rows into some columns of a table. */
export class Inserts {
  readonly #into: string;
  readonly #columns: readonly string[];
  readonly #end: string;
  /** The statements by their number of rows: made once, as most have one. */
  readonly #texts = new Map<number, string>();

  /** `onConflict` says what is done about a row that is there, by default nothing but an error. */
  constructor(table: string, columns: readonly string[], onConflict?: string) {
    this.#end = onConflict === undefined ? "" : ` ON CONFLICT ${onConflict}`;
    this.#into = `INSERT INTO ${table} (${columns.join(", ")}) VALUES `;
    this.#columns = columns;
  }

  /** Statements that insert rows, each with a value for each column. */
  of(rows: readonly (readonly unknown[])[]): Statement[] {
    const statements: Statement[] = [];
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE);
      statements.push([this.text(some.length), ...some.flat()]);
    }
    return statements;
  }

  /** The statement that inserts so many rows. */
  text(rows: number): string {
    const known = this.#texts.get(rows);
    if (known !== undefined) return known;
    let place = 0;
    const row = () => `(${this.#columns.map(() => `$${++place}`).join(", ")})`;
    const text = this.#into + Array.from({ length: rows }, row).join(", ") + this.#end;
    this.#texts.set(rows, text);
    return text;
  }
}

/** Where databases differ in what is done for jobs. */
export interface Dialect {
  /** Whether a small piece of output is joined with the row before it. */
  readonly joinsOutput: boolean;
  /** How many expired jobs one transaction removes. */
  readonly removedAtOnce: number;
  /** Inserts a job, of which the first values say who runs it; may return its row. */
  readonly insertJob: string;
  /** Makes all servers count the live jobs of a caller one after another. */
  lockCaller(caller: string): Statement[];
  /** Removes what is kept of a job until it ends, besides the commands for it. */
  forgetCall(seq: number): Statement[];
  /** When the jobs were counted last, where counting them takes long. */
  readonly lastCount?: LastCount;
  /** Removes what is kept of jobs that are removed, where it does not go with their rows. */
  forgetJobs(seqs: readonly number[]): Statement[];
  /** Notifies other servers once the transaction is committed. */
  notify(notice: Notice, subject: string): Statement[];
}

/** How many jobs are kept, as of the last time that they were counted. */
export interface LastCount {
  kept: number;
  /** As `performance.now()` counts. */
  at: number;
}

/** What a notification is about: a job, the commands or messages for a server, or work in a queue. */
export type Notice = "job" | "command" | "message" | "work";

/** The streams by their number in the table `output`. */
export const STREAMS = Object.freeze({ stdout: 1, stderr: 2 });

/** Reads a job from its row; only the jobs of a fleet have names of servers, and attempts. */
export function toStoredJob(row: Row): StoredJob {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    server: optional(row.server, String),
    serverName: optional(row.server_name, String),
    attempt: optional(row.attempt, Number),
    caller: String(row.caller),
    tool: String(row.tool),
    title: optional(row.title, String),
    state: toState(row.state),
    stdin: Boolean(row.stdin),
    createdAt: Number(row.created),
    startedAt: optional(row.started, Number),
    endedAt: optional(row.ended, Number),
    expiresAt: optional(row.expires, Number),
    outputBytes: Number(row.output_bytes),
    length: { stdout: Number(row.stdout), stderr: Number(row.stderr) },
    events: Number(row.events),
    error: optional(row.error, toFailure),
    ending: optional(row.ending, (text): CallEnding => JSON.parse(String(text))),
    ...(row.waiting === "approval" && row.ended === null ? { waiting: row.waiting } : {}),
    ...(row.ended === null ? { questions: optional(row.asking, toQuestions) } : {}),
  };
}

/** Reads a column that may be missing, or without a value. */
function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === null || value === undefined ? undefined : read(value);
}

/** What is stored of an outcome in the row of its job. */
export function toErrorText(outcome: CallOutcome): string | null {
  if (outcome.ok) return null;
  const { code, message } = outcome.refusal;
  return JSON.stringify({ code, message });
}

/** What is stored of a result in the row of its job. */
export function toEndingText(outcome: CallOutcome): string | null {
  return outcome.ok ? JSON.stringify(endingOf(outcome.result.structuredContent ?? {})) : null;
}

/** What `JSON.stringify()` made of an outcome. */
export function toOutcome(text: string): CallOutcome {
  return JSON.parse(text);
}

/** Reads an entry of a journal. */
export function toNumberedEntry({ number, stdout, stderr, entry }: Row): NumberedEntry {
  return {
    number: Number(number),
    length: { stdout: Number(stdout), stderr: Number(stderr) },
    entry: JSON.parse(String(entry)),
  };
}

/** Reads a command for a job. */
export function toCommand({ id, kind, bytes }: Row): AddressedCommand {
  const command: JobCommand = kind === "stdin" || kind === "answer"
    ? { kind, bytes: toBytes(bytes) }
    : { kind: kind === "endStdin" ? kind : "cancel" };
  return { id: String(id), command };
}

/** The bytes of a column; they belong to the caller. */
export function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array)) throw new TypeError("Cannot read bytes of a job");
  return new Uint8Array(value);
}

function toState(value: unknown): JobState {
  const state = JOB_STATES.find((candidate) => candidate === value);
  if (state === undefined) throw new TypeError(`Cannot read a job: its state is "${value}"`);
  return state;
}

function toQuestions(text: unknown): ShownQuestions {
  return JSON.parse(String(text));
}

function toFailure(text: unknown): JobFailure {
  const value: unknown = JSON.parse(String(text));
  if (!isJsonObject(value)) throw new TypeError("Cannot read a job: its error is not an object");
  return { code: String(value.code), message: String(value.message) };
}

import { isJsonObject } from "../../domain/json.ts";
import { JOB_STATES, type JobFailure } from "../../domain/job.ts";
import type { JournalEntry, StoredJob } from "../../domain/job_store.ts";
import type { CallOutcome } from "../../domain/service.ts";
import type { Row } from "./sqlite_file.ts";

/** The columns of a job, without its result. */
export const JOB_COLUMNS =
  "seq, id, server, caller, tool, state, stdin, created, started, ended, " +
  "expires, output_bytes, stdout, stderr, events, error";

/** A job from its row. */
export function toStoredJob(row: Row): StoredJob {
  const state = JOB_STATES.find((candidate) => candidate === row.state);
  if (state === undefined) throw new TypeError(`Cannot read a job: its state is "${row.state}"`);
  return {
    seq: Number(row.seq),
    id: String(row.id),
    server: String(row.server),
    caller: String(row.caller),
    tool: String(row.tool),
    state,
    stdin: row.stdin === 1,
    createdAt: Number(row.created),
    ...(row.started === null ? {} : { startedAt: Number(row.started) }),
    ...(row.ended === null ? {} : { endedAt: Number(row.ended) }),
    ...(row.expires === null ? {} : { expiresAt: Number(row.expires) }),
    outputBytes: Number(row.output_bytes),
    length: { stdout: Number(row.stdout), stderr: Number(row.stderr) },
    events: Number(row.events),
    ...(row.error === null ? {} : { error: toFailure(String(row.error)) }),
  };
}

/** The outcome in the row of a job. */
export function toErrorText(outcome: CallOutcome): string | null {
  if (outcome.ok) return null;
  const { code, message } = outcome.refusal;
  return JSON.stringify({ code, message });
}

function toFailure(text: string): JobFailure {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("Cannot read a job: its error is not an object");
  return { code: String(value.code), message: String(value.message) };
}

/** What `JSON.stringify()` made of an outcome. */
export function toOutcome(text: string): CallOutcome {
  return JSON.parse(text);
}

/** What `JSON.stringify()` made of an entry of a journal. */
export function toEntry(text: string): JournalEntry {
  return JSON.parse(text);
}

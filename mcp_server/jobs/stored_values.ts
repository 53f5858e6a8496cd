import { type CallEnding, type CallOutcome, endingOf } from "../tool/result.ts";
import { isJsonObject } from "../shared/json.ts";
import { JOB_STATES, type JobFailure, type JobState } from "../tool/job.ts";
import type { JournalEntry, StoredJob } from "./job_store.ts";

/** The fields of a job whose columns are alike in every store. */
export type CommonFields = Omit<StoredJob, "server" | "serverName" | "attempt" | "stdin">;

/** Reads these fields from the row of a job. */
export function toCommonFields(row: Readonly<Record<string, unknown>>): CommonFields {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    caller: String(row.caller),
    tool: String(row.tool),
    state: toState(row.state),
    createdAt: Number(row.created),
    ...(row.started === null ? {} : { startedAt: Number(row.started) }),
    ...(row.ended === null ? {} : { endedAt: Number(row.ended) }),
    ...(row.expires === null ? {} : { expiresAt: Number(row.expires) }),
    outputBytes: Number(row.output_bytes),
    length: { stdout: Number(row.stdout), stderr: Number(row.stderr) },
    events: Number(row.events),
    ...(row.error === null ? {} : { error: toFailure(String(row.error)) }),
    ...(row.ending === null ? {} : { ending: toEnding(String(row.ending)) }),
  };
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

/** What `JSON.stringify()` made of an entry of a journal. */
export function toEntry(text: string): JournalEntry {
  return JSON.parse(text);
}

function toEnding(text: string): CallEnding {
  return JSON.parse(text);
}

function toState(value: unknown): JobState {
  const state = JOB_STATES.find((candidate) => candidate === value);
  if (state === undefined) throw new TypeError(`Cannot read a job: its state is "${value}"`);
  return state;
}

function toFailure(text: string): JobFailure {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) throw new TypeError("Cannot read a job: its error is not an object");
  return { code: String(value.code), message: String(value.message) };
}

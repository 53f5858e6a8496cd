import { JobError } from "../tool/job.ts";
import type { JobEnd, StoredCall } from "../jobs/job_store.ts";
import { isJsonObject } from "../shared/json.ts";
import { type Dialect, type Row, sql, type Work } from "../jobs/sql.ts";
import { endJob } from "../jobs/sql_jobs.ts";
import { sqlStateOf } from "./postgres_database.ts";
import { type FleetJob, toFleetJob } from "./postgres_store.ts";

/** Thrown for what no server has written; the message has nothing of it, as it may be secret. */
class BrokenJob extends Error {
  override readonly name: string = "BrokenJob";
}

/** Throws unless a message of a queue is whole. */
export function ensureWhole({ isWhole }: { readonly isWhole: boolean }): void {
  if (!isWhole) throw new BrokenJob("its message names no job");
}

/** A job that is taken from a queue, with its call. */
export interface TakenRow extends FleetJob {
  readonly call: StoredCall;
}

/** Reads a job that is taken from a queue, and its call. Throws if either can't be read. */
export function toTaken(row: Row): TakenRow {
  return {
    ...read("its row can't be read", () => toFleetJob(row)),
    call: toCall(read("its call is not JSON", () => JSON.parse(String(row.call)))),
  };
}

function read<T>(state: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new BrokenJob(state);
  }
}

function toCall(value: unknown): StoredCall {
  const { args, meta, scopes } = isJsonObject(value) ? value : {};
  const isMeta = meta === undefined || isJsonObject(meta);
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : [];
  const areScopes = scopes === undefined ||
    (Array.isArray(scopes) && names.length === scopes.length);
  if (args === undefined || !isMeta || !areScopes) throw new BrokenJob("its call has another form");
  return {
    args,
    ...(meta === undefined ? {} : { meta }),
    ...(scopes === undefined ? {} : { scopes: names }),
  };
}

/** Data exceptions and violated constraints (PostgreSQL manual, "Error Codes"). */
const DATA_STATE = /^2[23]/;

/** Why what is stored of a job prevents it from being taken; `undefined` if something else does. */
export function whyBroken(error: unknown): string | undefined {
  const state = sqlStateOf(error) ?? "";
  if (DATA_STATE.test(state)) return `its rows break a rule of the tables (SQLSTATE ${state})`;
  const cause = error instanceof JobError ? error.cause : error;
  return cause instanceof BrokenJob ? cause.message : undefined;
}

/**
 * Ends a queued job, whatever is stored of it; `false` if there is none of the id. Needs a
 * transaction.
 */
export function* endBroken(id: string, end: JobEnd, dialect: Dialect): Work<boolean> {
  const [row] = yield sql(
    "SELECT seq FROM ~job WHERE id = $1 AND server IS NULL AND ended IS NULL FOR UPDATE",
    id,
  );
  if (row === undefined) return false;
  const seq = Number(row.seq);
  yield sql("DELETE FROM ~outcome WHERE job = $1", seq);
  const [mended] = yield sql(
    "UPDATE ~job SET events = (SELECT coalesce(max(number), 0) FROM ~journal WHERE job = $1), " +
      "started = NULL WHERE seq = $1 RETURNING events, stdout, stderr",
    seq,
  );
  const length = { stdout: Number(mended?.stdout), stderr: Number(mended?.stderr) };
  yield* endJob({ seq, events: Number(mended?.events), length }, end, dialect);
  return true;
}

import type { StoredJob } from "../jobs/job_store.ts";
import { toCommonFields } from "../jobs/stored_values.ts";
import type { Row } from "./postgres_database.ts";

/** The columns of a job, without its result. */
export const JOB_COLUMNS = "seq, id, server, server_name, attempt, retries, route, caller, tool, " +
  "state, stdin, created, started, ended, expires, output_bytes, stdout, stderr, events, error, " +
  "ending";

/** A job as the tables have it. */
export interface PostgresJob extends StoredJob {
  /** Which of the runs it is that the output belongs to. */
  readonly attempt: number;
  /** How many more runs are started if its servers are gone. */
  readonly retries: number;
  /** The queue in which it waits, unless the server that created it runs it. */
  readonly route?: string;
}

/** A job from its row. */
export function toPostgresJob(row: Row): PostgresJob {
  return {
    ...toCommonFields(row),
    server: row.server === null ? undefined : String(row.server),
    ...(row.server_name === null ? {} : { serverName: String(row.server_name) }),
    attempt: Number(row.attempt),
    retries: Number(row.retries),
    ...(row.route === null ? {} : { route: String(row.route) }),
    stdin: row.stdin === true,
  };
}

/** A job without what only the store needs. */
export function toStoredJob({ retries: _retries, route: _route, ...job }: PostgresJob): StoredJob {
  return job;
}

/** The bytes of a column; they belong to the caller. */
export function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array)) throw new TypeError("Cannot read bytes of a job");
  return new Uint8Array(value);
}

import type { StoredJob } from "../../domain/job_store.ts";
import type { Row } from "./sqlite_file.ts";
import { toCommonFields } from "./stored_values.ts";

/** The columns of a job, without its result. */
export const JOB_COLUMNS =
  "seq, id, server, caller, tool, state, stdin, created, started, ended, " +
  "expires, output_bytes, stdout, stderr, events, error";

/** A job from its row. */
export function toStoredJob(row: Row): StoredJob {
  return { ...toCommonFields(row), server: String(row.server), stdin: row.stdin === 1 };
}

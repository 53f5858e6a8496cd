import { ToolError } from "../shared/error.ts";
import type { JobService } from "../tool/job_service.ts";

const refuse = () => Promise.reject(new ToolError("Cannot use jobs: the test provides none"));

/** Rejects everything, for tests of tools that start no jobs. */
export const NO_JOBS: JobService = Object.freeze({
  start: refuse,
  get: refuse,
  list: refuse,
  wait: refuse,
  read: refuse,
  watch: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
  cancel: refuse,
  writeStdin: refuse,
  endStdin: refuse,
  delete: refuse,
  servers: refuse,
});

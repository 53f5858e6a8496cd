import type { JobState } from "@trestle/mcp-server";

const STATES: Readonly<Record<JobState, true>> = {
  queued: true,
  running: true,
  completed: true,
  failed: true,
  cancelled: true,
  lost: true,
};

/** Every state of a job, in the order of its life. */
export const JOB_STATES = Object.keys(STATES) as readonly JobState[];

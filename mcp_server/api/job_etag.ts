import { type Job, JOB_STATES, type JobState } from "../tool/job.ts";

/** Everything that changes in a job changes with its state or the length of its output. */
export function toETag({ state, output }: Job): string {
  return `"${state}-${output.stdout.end}-${output.stderr.end}"`;
}

const TAG = /^(?:W\/)?"([a-z]+)-\d+-\d+"$/;

/** The job that a client has, as `If-None-Match` says (RFC 9110, section 13.1.2). */
export interface KnownJob {
  /** Whether the client has exactly this one. */
  isCurrent(job: Job): boolean;
  /** The state of the job that the client has. */
  readonly state?: JobState;
}

/** Reads `If-None-Match`; a tag that is none of a job matches nothing. */
export function parseKnownJob(header: string | null): KnownJob {
  const tags = (header ?? "").split(",").map((tag) => tag.trim());
  const states = tags.map((tag) => TAG.exec(tag)?.[1]);
  const state = JOB_STATES.find((one) => states.includes(one));
  return {
    isCurrent: (job) => {
      const current = toETag(job);
      return tags.some((tag) => tag === "*" || tag.replace(/^W\//, "") === current);
    },
    ...(state === undefined ? {} : { state }),
  };
}

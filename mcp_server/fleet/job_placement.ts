import { MOST_RETRIES, routesOf, type ServerLabels, toRoute } from "../tool/fleet.ts";
import { JobError } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";

/** Whether a job says where it runs, or that it may be started again. */
export function isPlaced({ on, retries = 0 }: JobRequest): boolean {
  return on !== undefined || retries > 0;
}

/** Throws a `JobError` unless `on` and `retries` of a job have their form. */
export function ensurePlacement({ on, retries = 0 }: JobRequest): void {
  toRoute(on);
  if (Number.isInteger(retries) && retries >= 0 && retries <= MOST_RETRIES) return;
  throw refuse(`with ${retries} retries: there may be 0 to ${MOST_RETRIES}`);
}

/** Throws a `JobError` unless a job may run on this server, where it can't be passed on. */
export function ensureHere({ on, retries = 0 }: JobRequest, labels: ServerLabels): void {
  if (retries > 0) {
    throw refuse("with retries: nobody could start it again; jobs are shared by MCP_JOBS_URL");
  }
  if (on === undefined || routesOf(labels).includes(toRoute(on))) return;
  throw refuse(
    `on "${on}": it would run on "name:${labels.name}"; jobs are passed on by MCP_JOBS_URL`,
  );
}

function refuse(state: string): JobError {
  return new JobError(`Cannot start the job ${state}`, { code: "INVALID_ARGUMENTS" });
}

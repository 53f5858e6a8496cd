import { type Config, ConfigError } from "../settings/config.ts";
import { messageOf } from "../shared/error.ts";
import { JobError } from "../tool/job.ts";
import type { JobStore } from "../jobs/job_store.ts";
import type { Log } from "../shared/log.ts";
import type { JobManager } from "../jobs/job_manager.ts";
import { type FleetOptions, openFleet } from "../fleet/open_fleet.ts";

/** How long after the start the jobs of killed servers are recovered. */
const RECOVERY_MS = 300;

/** Opens the store of jobs: that of a fleet, or that of the data folder. */
export async function openJobStore(
  { jobs, dataFolder }: Config,
  options: FleetOptions,
): Promise<JobStore> {
  if (jobs !== undefined) return await openFleet(jobs, options);
  if (dataFolder === undefined) {
    throw new JobError("Cannot keep jobs: there is no folder for them, set MCP_DATA_DIR", {
      code: "JOBS_UNAVAILABLE",
    });
  }
  const { SqliteJobStore } = await loadJobStore();
  return await SqliteJobStore.open(dataFolder.path);
}

/** SQLite is loaded only if there are jobs. */
function loadJobStore() {
  return import("../jobs/sqlite/sqlite_store.ts");
}

/**
 * Looks after the jobs that a killed server left, shortly after the start, so that the first answer
 * does not wait for it. A folder that the operator named is opened at once: it must be usable.
 */
export async function recoverJobs(
  jobs: JobManager,
  { dataFolder }: Config,
  log: Log,
): Promise<Disposable> {
  if (dataFolder?.named === true) {
    await jobs.store().catch((cause) => {
      throw new ConfigError(`Cannot use MCP_DATA_DIR "${dataFolder.path}": ${messageOf(cause)}`, {
        cause,
      });
    });
  }
  const ends = new DisposableStack();
  if (dataFolder !== undefined && await hasJobs(dataFolder.path)) {
    // Loaded now: Deno 2.9 panics if it loads a module while no file descriptor is free.
    await loadJobStore();
    const recover = () =>
      jobs.store().catch((error) => log.warn("jobs can't be kept", { reason: messageOf(error) }));
    const timer = setTimeout(recover, RECOVERY_MS);
    Deno.unrefTimer(timer);
    ends.defer(() => clearTimeout(timer));
  }
  return ends;
}

async function hasJobs(folder: string): Promise<boolean> {
  return await Deno.stat(`${folder}/jobs.db`).then(() => true, () => false);
}

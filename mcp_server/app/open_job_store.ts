import type { JobManager } from "../jobs/job_manager.ts";
import type { JobStore } from "../jobs/job_store.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { type Config, ConfigError } from "../settings/config.ts";
import { firstOf } from "../shared/concurrency.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import { JobError, JobSetupError, type ServerIdentity } from "../tool/job.ts";

/** How long after the start the jobs of killed servers are recovered. */
const RECOVERY_MS = 300;
/** How soon a server without PostgreSQL tries again to join its fleet. */
const JOIN_MS = 2_000;
const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/**
 * Opens the store of jobs: that of the data folder, or the one that several servers share, for which
 * PostgreSQL's packages are loaded. Rejects with a `JobError`, and with a `JobSetupError` if an
 * operator has to create the schemas.
 */
export async function openJobStore(
  { jobs, dataFolder }: Config,
  identity: ServerIdentity,
  pool: Pick<CommandRunnerPool, "load">,
): Promise<JobStore> {
  if (jobs !== undefined) {
    const { PostgresFleet } = await import("../fleet/postgres_fleet.ts");
    // Processes are those of one machine until it starts again (proc_sys_kernel(5)).
    const boot = await Deno.readTextFile(BOOT_ID).catch(() => crypto.randomUUID());
    const place = { ...identity, machine: boot.trim() };
    return await PostgresFleet.open(jobs, { identity: place, load: () => pool.load() });
  }
  if (dataFolder === undefined) {
    throw new JobError("Cannot keep jobs: there is no folder for them, set MCP_DATA_DIR", {
      code: "JOBS_UNAVAILABLE",
    });
  }
  const { SqliteJobStore } = await loadSqliteStore();
  return await SqliteJobStore.open(dataFolder.path);
}

/** SQLite is loaded only if there are jobs. */
function loadSqliteStore() {
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
    await loadSqliteStore();
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

/** The name of the host, as far as it is a valid name of a server. */
export function hostName(): string {
  return Deno.hostname().replaceAll(/[^A-Za-z0-9._-]+/g, "-").replace(/^[._-]+/, "").slice(0, 63) ||
    "server";
}

/**
 * Opens the store that servers share, so that this one takes jobs. Without PostgreSQL it starts all the
 * same, and tries again until it is there; but rejects with a `JobSetupError` if the tables are
 * missing and the server may not create them.
 */
export async function joinFleet(jobs: Pick<JobManager, "store">, log: Log): Promise<Disposable> {
  const closed = new AbortController();
  const isJoined = async () => {
    try {
      return await jobs.store() !== undefined;
    } catch (error) {
      if (closed.signal.aborted) return true;
      log.warn("jobs can't be kept", { reason: messageOf(error) });
      if (error instanceof JobSetupError) throw error;
      return false;
    }
  };
  const goOn = async () => {
    do {
      using pause = firstOf({ signal: closed.signal, timeoutMs: JOIN_MS });
      await pause.expired;
    } while (!closed.signal.aborted && !await isJoined().catch(() => false));
  };
  if (!await isJoined()) void goOn();
  return { [Symbol.dispose]: () => closed.abort() };
}

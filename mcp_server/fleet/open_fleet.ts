import type { FleetStore } from "../jobs/fleet_store.ts";
import type { JobManager } from "../jobs/job_manager.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { firstOf } from "../shared/deadline.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { ServerIdentity } from "../tool/fleet.ts";
import { JobSetupError } from "../tool/job.ts";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";

/** What this server brings along for the fleet. */
export interface FleetOptions {
  readonly identity: ServerIdentity;
  readonly pool: Pick<CommandRunnerPool, "load">;
}

/**
 * Opens the store that several servers share; PostgreSQL's packages are imported here. Rejects with a
 * `JobSetupError` if an operator has to create the schemas, and with a `JobError`.
 */
export async function openFleet(
  address: { readonly url: string; readonly schema: string },
  { identity, pool }: FleetOptions,
): Promise<FleetStore> {
  const { PostgresFleet } = await import("./postgres_fleet.ts");
  return await PostgresFleet.open(address, {
    identity: { ...identity, machine: await machineId() },
    load: () => pool.load(),
  });
}

/** Processes are those of one machine until it starts again (proc_sys_kernel(5)). */
async function machineId(): Promise<string> {
  return (await Deno.readTextFile(BOOT_ID).catch(() => crypto.randomUUID())).trim();
}

/** How soon a server without PostgreSQL tries again to join its fleet. */
const JOIN_MS = 2_000;

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

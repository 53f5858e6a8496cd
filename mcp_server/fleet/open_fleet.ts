import type { ServerIdentity } from "../tool/fleet.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import type { FleetStore } from "./fleet_store.ts";

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

import type { ApiClient } from "../clients/api_client.ts";
import type { TaskClients } from "../clients/task_clients.ts";
import type { Way } from "../clients/way.ts";
import type { Random } from "../random.ts";
import type { FileChanges } from "../server/file_changes.ts";
import type { FleetServers } from "../server/fleet_servers.ts";
import type { SoakServer } from "../server/soak_server.ts";
import type { Services } from "../services.ts";
import type { Tally } from "../tally.ts";
import type { Pressure } from "./pressure.ts";

/** What scenarios work with. */
export interface ScenarioParts {
  readonly services: Services;
  readonly server: SoakServer;
  readonly api: ApiClient;
  readonly ways: readonly [Way, ...Way[]];
  readonly tasks: TaskClients;
  readonly changes: FileChanges;
  readonly tally: Tally;
  readonly pressure: Pressure;
  /** Absent without PostgreSQL. */
  readonly fleet?: FleetServers;
}

/** Which run of a scenario it is. */
export interface ScenarioRun {
  /** Unique among all runs. */
  readonly id: number;
  /** The numbers of this run alone, so that a seed repeats it whatever the others do. */
  readonly random: Random;
}

/** A piece of traffic that knows what the server must answer. */
export interface Scenario {
  readonly name: string;
  /** How often it is drawn, compared with the others. @default {1} */
  readonly weight?: number;
  /** Counts its calls; rejects if something is not as it must be. */
  readonly run: (run: ScenarioRun) => Promise<void>;
}

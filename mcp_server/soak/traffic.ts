import { createApiClient } from "./clients/api_client.ts";
import { openTaskClients } from "./clients/task_clients.ts";
import { openWays } from "./clients/ways.ts";
import { approvalScenarios } from "./scenarios/approvals.ts";
import { callScenarios } from "./scenarios/calls.ts";
import { changedFileScenarios } from "./scenarios/changed_files.ts";
import { fleetScenarios } from "./scenarios/fleet.ts";
import { floodScenarios } from "./scenarios/floods.ts";
import { hangUpScenarios } from "./scenarios/hang_ups.ts";
import { jobScenarios } from "./scenarios/jobs.ts";
import { jobToolScenarios } from "./scenarios/job_tools.ts";
import { Pressure } from "./scenarios/pressure.ts";
import { refusedScenarios } from "./scenarios/refused_calls.ts";
import type { Scenario, ScenarioParts } from "./scenarios/scenario.ts";
import { taskScenarios } from "./scenarios/tasks.ts";
import { type Schedule, schedule, type ScheduleOptions } from "./schedule.ts";
import { createFileChanges } from "./server/file_changes.ts";
import type { FleetServers } from "./server/fleet_servers.ts";
import type { SoakServer } from "./server/soak_server.ts";
import type { Services } from "./services.ts";
import type { Tally } from "./tally.ts";

/** What traffic is made of, and how long it lasts. */
export interface TrafficOptions extends ScheduleOptions {
  /** Creates the scenarios. */
  readonly scenarios: (parts: ScenarioParts) => readonly Scenario[];
  /** Whether the server's files change. */
  readonly changes: boolean;
  readonly tally: Tally;
  /** @default {there are none} */
  readonly fleet?: FleetServers;
}

/** Traffic that can be sent, over clients that are connected until disposal. */
export type Traffic = Schedule & AsyncDisposable;

/** Every scenario; those that take longest come first. */
export function allScenarios(parts: ScenarioParts): Scenario[] {
  return [
    ...hangUpScenarios(parts),
    ...floodScenarios(parts),
    ...jobScenarios(parts),
    ...taskScenarios(parts),
    ...jobToolScenarios(parts),
    ...callScenarios(parts),
    ...approvalScenarios(parts),
    ...fleetScenarios(parts),
    ...refusedScenarios(parts),
    ...changedFileScenarios(parts),
  ];
}

/** Prepares the clients of the traffic, and what they send. */
export function openTraffic(
  services: Services,
  server: SoakServer,
  options: TrafficOptions,
): Traffic {
  const { tally } = options;
  const api = createApiClient(server.process.url);
  const ways = openWays(api, server.stdio);
  const tasks = openTaskClients(api.url, server.stdio);
  const changes = createFileChanges({ services, server, api, tally });
  const pressure = new Pressure();
  const stalls = pressure.watchStalls(() => tally.event("stalls of this machine"));
  const { fleet } = options;
  const more = fleet === undefined ? {} : { fleet };
  const parts = { services, server, api, ways, tasks, changes, tally, pressure, ...more };
  const changing = options.changes ? { changes } : {};
  return {
    ...schedule(options.scenarios(parts), { tally, pressure, ...changing }, options),
    [Symbol.asyncDispose]: async () => {
      stalls[Symbol.dispose]();
      await Promise.all([tasks, ...ways].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

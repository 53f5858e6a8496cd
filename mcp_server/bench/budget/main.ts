/**
 * Prints what the daily jobs of an agent cost with this server, and with DesktopCommander and DBHub
 * where they can do the job: `deno task budget`. `--modules FOLDER` keeps the installed packages for
 * the next run; `--alone` installs none.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import type { Program } from "../peers/counting_transport.ts";
import { writeCommanderConfig } from "../peers/servers/local_peers.ts";
import { type Installed, installPackages } from "../peers/servers/packages.ts";
import { startSession } from "../peers/session.ts";
import { Agent, type Cost } from "./agent.ts";
import { BUDGET_JOBS } from "./jobs.ts";
import { COMMANDER_JOBS, DBHUB_JOBS, type PeerJobs } from "./peer_jobs.ts";
import { createPlace, type Place } from "./place.ts";

const { values } = parseArgs({
  options: { modules: { type: "string" }, alone: { type: "boolean", default: false } },
});
await using temp = await createTempFolder();
const costs: [server: string, jobs: ReadonlyMap<string, Cost | Error>][] = [
  ["this server", await costsOf(ours)],
];
if (!values.alone) {
  const peers = await installPackages(values.modules ?? `${temp.path}/modules`);
  costs.push(["DesktopCommander", await costsOf((place) => commander(place, peers))]);
  costs.push(["DBHub", await costsOf((place) => dbhub(place, peers))]);
}
console.log(`characters of calls and contents (calls; bytes sent + received)`);
for (const { name, limit } of BUDGET_JOBS) {
  const cells = costs.map(([server, jobs]) => {
    const cost = jobs.get(name);
    return cost === undefined ? `${server} n/a` : `${server} ${describe(cost)}`;
  });
  console.log(`${name} (at most ${limit}): ${cells.join(" · ")}`);
}

function describe(cost: Cost | Error): string {
  if (cost instanceof Error) return cost.message.slice(0, 60);
  const { characters, calls, sent, received } = cost;
  return `${characters} (${calls}; ${sent} + ${received})`;
}

/** A server, and how it does the jobs. */
interface Contender {
  readonly program: Program;
  readonly jobs: PeerJobs;
}

/** Does all jobs with one server, in a place of its own; a job that fails has its error. */
async function costsOf(
  open: (place: Place) => Contender | Promise<Contender>,
): Promise<ReadonlyMap<string, Cost | Error>> {
  await using place = await createPlace();
  const { program, jobs } = await open(place);
  await using session = await startSession(program);
  const done = new Map<string, Cost | Error>();
  for (const [name, run] of Object.entries(jobs)) {
    const agent = new Agent(session);
    const error = await run(agent, place).then(() => undefined, (error: Error) => error);
    done.set(name, error ?? agent.cost);
  }
  return done;
}

function ours({ program, hosts }: Place): Contender {
  const possible = BUDGET_JOBS.filter((job) => job.hosts !== true || hosts.length > 0);
  return { program, jobs: Object.fromEntries(possible.map(({ name, run }) => [name, run])) };
}

async function commander(place: Place, peers: Installed): Promise<Contender> {
  const home = `${place.project}/../commander`;
  await Deno.mkdir(home);
  await writeCommanderConfig(home, []);
  const file = peers.file("@wonderwhy-er/desktop-commander/dist/index.js");
  const env = { DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1", DC_FLAG_URL: "http://127.0.0.1:9/" };
  const args = [file, "--no-onboarding"];
  return { program: toProgram(peers, { home, args, env }), jobs: COMMANDER_JOBS };
}

function dbhub({ database, project }: Place, peers: Installed): Contender {
  const file = peers.file("@bytebase/dbhub/dist/index.js");
  const args = [file, "--transport", "stdio", "--dsn", `sqlite://${database}`];
  return { program: toProgram(peers, { home: project, args }), jobs: DBHUB_JOBS };
}

function toProgram(
  { node }: Installed,
  { home, args, env = {} }: {
    readonly home: string;
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  },
): Program {
  return {
    command: node,
    args,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: home, ...env },
    cwd: home,
  };
}

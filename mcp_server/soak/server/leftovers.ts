import { DatabaseSync } from "node:sqlite";
import { findByMark, kill } from "../../testing/test_runner.ts";
import type { ApiClient } from "../clients/api_client.ts";
import type { Services } from "../services.ts";
import { FLEET_SCHEMA, type FleetServers } from "./fleet_servers.ts";
import type { SoakServer } from "./soak_server.ts";
import type { Counts, ServerKind } from "../tally.ts";
import { type AuditLines, countAudit } from "./audit_lines.ts";

/** What a server that has nothing to do says about itself. */
export interface IdleServer {
  /** Live jobs. */
  readonly jobs: number;
  /** Commands that run or wait. */
  readonly commands: number;
  /** Processes that a stop could not end. */
  readonly survivors: number;
  /** Calls that have ended, without those that a right prevented. */
  readonly calls: number;
  /** Statements that still run in PostgreSQL. */
  readonly statements: number;
}

const NO_STATEMENTS = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' " +
  "AND state = 'active' AND pid <> pg_backend_pid()";

/**
 * Asks the servers, and PostgreSQL, what is still running; the calls are those of the first server.
 */
export async function askIdle(apis: readonly ApiClient[], services: Services): Promise<IdleServer> {
  const texts = await Promise.all(apis.map(async (api) => {
    return await (await api.send("/metrics", { caller: "default" })).text();
  }));
  const sumOf = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  const sum = (pattern: RegExp) => sumOf(texts.join("\n"), pattern);
  return {
    jobs: sum(/^trestle_jobs\{.*\} (\S+)$/gm),
    commands: sum(/^trestle_(?:runs|queue) (\S+)$/gm),
    survivors: sum(/^trestle_stop_survivors_total (\S+)$/gm),
    calls: sumOf(texts[0] ?? "", /^trestle_calls_total\{(?!.*outcome="NOT_ALLOWED").*\} (\S+)$/gm),
    statements: Number(await services.askPostgres?.(NO_STATEMENTS) ?? 0),
  };
}

/** The processes of endless commands, all of which were stopped, wherever they run. */
export function endlessProcesses({ endless }: Services): number[] {
  return [...Deno.readDirSync("/proc")].map(({ name }) => Number(name))
    .filter((pid) => pid > 0 && describeProcess(pid).startsWith(endless));
}

/** Kills what is left of a soak, and returns the command lines. */
export function killLeft(services: Services, more: readonly number[]): string[] {
  const left = new Set([...more, ...findByMark(services.mark), ...endlessProcesses(services)]);
  const lines = [...left].map(describeProcess).filter((line) => line !== "");
  for (const pid of left) kill(pid);
  return lines;
}

/** The command line of a process; empty for one that has ended. */
function describeProcess(pid: number): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 200);
  } catch {
    return "";
  }
}

/** What servers have left once all of them have ended. */
export interface Leftovers {
  readonly audit: Readonly<Record<ServerKind, AuditLines>>;
  /** Jobs in the store, by state. */
  readonly jobs: Counts;
  readonly groups: number;
  readonly temporaryFiles: number;
  /** Lines of the servers' logs about rejections and errors that nothing handled. */
  readonly unhandled: readonly string[];
  /** Warnings and errors in the servers' logs, by message. */
  readonly warnings: Counts;
  readonly stdioServers: number;
  /** Those that are not 0. */
  readonly stdioExitCodes: readonly string[];
  /** Absent without a fleet. */
  readonly fleet?: FleetLeftovers;
}

/** What the servers of a fleet have left. */
export interface FleetLeftovers {
  readonly restarts: number;
  /** Those that are not 0. */
  readonly exitCodes: readonly number[];
  /** Jobs in the store, by state. */
  readonly jobs: Counts;
}

const UNHANDLED = /"(unhandled rejection|uncaught error)"/;

/** Reads the files that servers have written. */
export async function readLeftovers(
  services: Services,
  server: SoakServer,
  fleet?: FleetServers,
): Promise<Leftovers> {
  const { audit, folder, temp } = services;
  const name = audit.slice(folder.length + 1);
  const [ofStdio, ofFleet] = [`${name}-stdio`, `${name}-fleet`];
  const { stdio, process } = server;
  const logs = process.stderr() + await Deno.readTextFile(stdio.stderr) + (fleet?.stderr() ?? "");
  const codes = (await Deno.readTextFile(stdio.exitCodes)).split("\n").filter((code) =>
    code !== ""
  );
  return {
    audit: {
      http: await countAudit(
        folder,
        (file) => file.startsWith(name) && file !== ofStdio && !file.startsWith(ofFleet),
      ),
      stdio: await countAudit(folder, (file) => file === ofStdio),
      fleet: await countAudit(folder, (file) => file.startsWith(ofFleet)),
    },
    jobs: countJobs(services),
    groups: await countGroups(server, fleet?.pids ?? []),
    temporaryFiles: [...Deno.readDirSync(temp)].length,
    unhandled: logs.split("\n").filter((line) => UNHANDLED.test(line)),
    warnings: countWarnings(logs),
    stdioServers: codes.length,
    stdioExitCodes: codes.filter((code) => code !== "0"),
    ...(fleet === undefined ? {} : { fleet: await leftOfFleet(fleet, services) }),
  };
}

async function leftOfFleet(
  { restarts, exitCodes }: FleetServers,
  { askPostgres }: Services,
): Promise<FleetLeftovers> {
  const query = `SELECT state, count(*) FROM ${FLEET_SCHEMA}.job GROUP BY state`;
  const rows = await askPostgres?.(query) ?? "";
  const jobs = rows.split("\n").filter((row) => row !== "").map((row) => row.split("|"));
  return {
    restarts,
    exitCodes: exitCodes.filter((code) => code !== 0),
    jobs: Object.fromEntries(jobs.map(([state = "", count]) => [state, Number(count)])),
  };
}

function countWarnings(logs: string): Counts {
  const counts: Counts = {};
  for (const [, message = ""] of logs.matchAll(/"level":"(?:warn|error)","message":"([^"]*)"/g)) {
    counts[message] = (counts[message] ?? 0) + 1;
  }
  return counts;
}

/** How many jobs of each state are in the store. */
function countJobs({ env }: Services): Counts {
  using database = new DatabaseSync(`${env.MCP_DATA_DIR}/jobs.db`, { readOnly: true });
  const rows = database.prepare("SELECT state, count(*) AS jobs FROM job GROUP BY state").all();
  return Object.fromEntries(rows.map(({ state, jobs }) => [String(state), Number(jobs)]));
}

/** Counts the control groups of these servers. */
async function countGroups(
  { process, stdio }: SoakServer,
  more: readonly number[],
): Promise<number> {
  const pids = new Set((await Deno.readTextFile(stdio.pids)).trim().split("\n"));
  for (const pid of [process.pid, ...more]) pids.add(`${pid}`);
  const groups = [...groupsOfServers(CGROUPS, DEPTH)];
  return groups.filter((name) => pids.has(name.split("-")[0] ?? "")).length;
}

const CGROUPS = "/sys/fs/cgroup";
/** How far below its mount a server's own group is looked for. */
const DEPTH = 6;

/** The names of the groups in a group named `trestle`, one for each server. */
function* groupsOfServers(folder: string, depth: number): Generator<string> {
  for (const { name, isDirectory } of readFolder(folder)) {
    if (!isDirectory) continue;
    if (folder.endsWith("/trestle")) yield name;
    else if (depth > 0) yield* groupsOfServers(`${folder}/${name}`, depth - 1);
  }
}

function readFolder(path: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)];
  } catch {
    return [];
  }
}

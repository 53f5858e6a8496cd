import type { AuditLines } from "./server/audit_lines.ts";
import type { FleetLeftovers, IdleServer, Leftovers } from "./server/leftovers.ts";
import type { Sample } from "./server/server_watch.ts";
import type { Counts, Dispatched, Tally } from "./tally.ts";

/** What a soak has measured. */
export interface SoakFigures extends Leftovers {
  readonly seconds: number;
  readonly tally: Tally;
  /** The server after the traffic, before it was stopped. */
  readonly idle: IdleServer;
  readonly samples: readonly Sample[];
  /** Growth of memory in MiB a minute. */
  readonly slope: number;
  /** The server of the fleet that never restarts. @default {there is no fleet} */
  readonly fleetSamples?: readonly Sample[];
  /** Command lines of the processes still running at the end. */
  readonly processesLeft: readonly string[];
  readonly exitCode: number;
}

/** One line of the table: a figure, and whether it is acceptable. */
export interface Finding {
  readonly what: string;
  readonly value: string;
  readonly good: boolean;
}

/** How many more descriptors than at the start may be open, because the traffic fills pools. */
export const SPARE_DESCRIPTORS = 40;
/** In a shorter run the slope shows what the garbage collector left, rather than a leak. */
const SLOPE_SECONDS = 900;
const MOST_SLOPE = 4;

/** Decides for each figure of the traffic alone whether it is acceptable. */
export function judgeTraffic(tally: Tally): Finding[] {
  return [
    ...transportFindings(tally),
    { what: "all calls", value: `${tally.calls}`, good: true },
    listed("expected refusals", tally.refusals),
    listed("also", tally.events),
    zero("wrong answers", tally.wrongCount),
  ];
}

/** Decides for each figure of a soak whether it is acceptable. */
export function judge(figures: SoakFigures): Finding[] {
  const { tally, idle, audit } = figures;
  return [
    ...judgeTraffic(tally),
    named("processes left", figures.processesLeft),
    zero("processes that survived a stop", idle.survivors),
    zero(
      "commands, jobs and statements still running",
      idle.commands + idle.jobs + idle.statements,
    ),
    ...memoryFindings(figures),
    ...fleetFindings(figures),
    auditFinding("audit, HTTP", audit.http, tally.dispatched.http),
    auditFinding("audit, stdio", audit.stdio, tally.dispatched.stdio),
    auditFinding("audit, fleet", audit.fleet, tally.dispatched.fleet),
    {
      what: "calls in the audit and in the metrics",
      value: `${audit.http.ends - audit.http.notAllowed}, ${idle.calls}`,
      good: audit.http.ends - audit.http.notAllowed === idle.calls,
    },
    jobsFinding("jobs in the store", figures.jobs),
    zero("temporary files left", figures.temporaryFiles),
    zero("control groups left", figures.groups),
    named("unhandled rejections", figures.unhandled),
    {
      ...listed("warnings in the logs", figures.warnings),
      good: !("a tool crashed" in figures.warnings),
    },
    zero("exit code", figures.exitCode),
    {
      what: "servers over stdio, exit codes other than 0",
      value: `${figures.stdioServers}, ${figures.stdioExitCodes.join(" ") || "none"}`,
      good: figures.stdioExitCodes.length === 0,
    },
  ];
}

function transportFindings({ transports }: Tally): Finding[] {
  return [...transports].sort().map(([transport, { calls, answered, refused, cancelled }]) => ({
    what: transport,
    value: `${calls} calls: ${answered} answered, ${refused} refused, ${cancelled} cancelled`,
    good: true,
  }));
}

function memoryFindings({ samples, slope, seconds }: SoakFigures): Finding[] {
  const isLong = seconds >= SLOPE_SECONDS;
  return [
    descriptorsFinding("descriptors", samples),
    memoryFinding("memory", samples),
    {
      what: isLong ? "memory, growth in the second half" : "memory, growth (not judged: too short)",
      value: `${slope.toFixed(2)} MiB/min`,
      good: !isLong || slope <= MOST_SLOPE,
    },
  ];
}

function descriptorsFinding(what: string, samples: readonly Sample[]): Finding {
  const [first, last] = [samples[0]?.descriptors, samples.at(-1)?.descriptors];
  return {
    what: `${what}, start and end`,
    value: `${first}, ${last}`,
    good: (last ?? NaN) - (first ?? NaN) <= SPARE_DESCRIPTORS,
  };
}

function memoryFinding(what: string, samples: readonly Sample[]): Finding {
  const moments = [samples[0], samples[Math.floor(samples.length / 2)], samples.at(-1)];
  return {
    what: `${what}, start, middle and end`,
    value: moments.map((sample) => `${sample?.memory.toFixed(0)} MiB`).join(", "),
    good: true,
  };
}

/** Each call that was dispatched has one line at its start and one at its end. */
function auditFinding(what: string, audit: AuditLines, { sure, maybe }: Dispatched): Finding {
  const { starts, ends, broken } = audit;
  const most = sure + maybe;
  return {
    what: `${what}: starts, ends, calls`,
    value: `${starts}, ${ends}, ${sure} to ${most}${broken > 0 ? `, ${broken} broken` : ""}`,
    good: starts === ends && starts >= sure && starts <= most && broken === 0,
  };
}

function jobsFinding(what: string, { queued = 0, running = 0, ...ended }: Counts): Finding {
  const { value } = listed("", { ...ended, queued, running });
  return { what, value, good: queued + running === 0 };
}

function fleetFindings({ fleet, fleetSamples = [] }: SoakFigures): Finding[] {
  if (fleet === undefined) return [];
  return [
    descriptorsFinding("fleet: descriptors", fleetSamples),
    memoryFinding("fleet: memory", fleetSamples),
    restartsFinding(fleet),
    jobsFinding("fleet: jobs in the store", fleet.jobs),
  ];
}

function restartsFinding({ restarts, exitCodes }: FleetLeftovers): Finding {
  return {
    what: "fleet: restarts, exit codes other than 0",
    value: `${restarts}, ${exitCodes.join(" ") || "none"}`,
    good: exitCodes.length === 0,
  };
}

function listed(what: string, counts: Counts): Finding {
  const parts = Object.entries(counts).sort(([one], [other]) => one < other ? -1 : 1);
  return { what, value: parts.map(([name, count]) => `${name} ${count}`).join(", "), good: true };
}

function named(what: string, lines: readonly string[]): Finding {
  const value = `${lines.length} ${lines.slice(0, 5).join("; ")}`.trim();
  return { what, value, good: lines.length === 0 };
}

function zero(what: string, count: number): Finding {
  return { what, value: `${count}`, good: count === 0 };
}

/** Prints findings as a table. */
export function printFindings(findings: readonly Finding[]): void {
  console.log("| what | figure | |");
  console.log("| --- | --- | --- |");
  for (const { what, value, good } of findings) {
    console.log(`| ${what} | ${value} | ${good ? "" : "WRONG"} |`);
  }
}

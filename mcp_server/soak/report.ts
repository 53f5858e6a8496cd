import type { AuditLines } from "./server/audit_lines.ts";
import type { IdleServer, Leftovers } from "./server/leftovers.ts";
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
    auditFinding("audit, HTTP", audit.http, tally.dispatched.http),
    auditFinding("audit, stdio", audit.stdio, tally.dispatched.stdio),
    {
      what: "calls in the audit and in the metrics",
      value: `${audit.http.ends - audit.http.notAllowed}, ${idle.calls}`,
      good: audit.http.ends - audit.http.notAllowed === idle.calls,
    },
    jobsFinding(figures.jobs),
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
  const [first, last] = [samples[0], samples.at(-1)];
  const descriptors = (last?.descriptors ?? NaN) - (first?.descriptors ?? NaN);
  const isLong = seconds >= SLOPE_SECONDS;
  const mib = (sample?: Sample) => `${sample?.memory.toFixed(0)} MiB`;
  return [
    {
      what: "descriptors, start and end",
      value: `${first?.descriptors}, ${last?.descriptors}`,
      good: descriptors <= SPARE_DESCRIPTORS,
    },
    { what: "memory, start and end", value: `${mib(first)}, ${mib(last)}`, good: true },
    {
      what: isLong ? "memory, growth in the second half" : "memory, growth (not judged: too short)",
      value: `${slope.toFixed(2)} MiB/min`,
      good: !isLong || slope <= MOST_SLOPE,
    },
  ];
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

function jobsFinding({ queued = 0, running = 0, ...ended }: Counts): Finding {
  const { value } = listed("", { ...ended, queued, running });
  return { what: "jobs in the store", value, good: queued + running === 0 };
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

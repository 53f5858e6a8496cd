import {
  joinSamples,
  joinTallies,
  type KeptFigures,
  type KeptRange,
  toToolFigures,
} from "../calls/call_history.ts";
import type { FigureSample, ServerFigures } from "../tool/fleet_desk.ts";

/** How many steps a server may miss, as one that is busy does, before it counts as stopped for a while. */
const MOST_MISSED = 2;

/** What a server did, as people read it. */
export function toFigures({ hour, day }: KeptFigures): Record<"hour" | "day", ServerFigures> {
  return { hour: toRange(hour), day: toRange(day) };
}

/**
 * Adds up what several servers did: calls, commands and memory of one moment, and the calls of a tool
 * wherever they ran. Each server takes its samples at moments of its own, so they are put into steps of
 * the clock; the last step is one that all servers which still take samples have reached.
 */
export function mergeFigures(all: readonly KeptFigures[]): KeptFigures {
  return {
    hour: mergeRanges(all.map(({ hour }) => hour)),
    day: mergeRanges(all.map(({ day }) => day)),
  };
}

function toRange({ everySeconds, samples, tools }: KeptRange): ServerFigures {
  return { everySeconds, samples, tools: tools.map(toToolFigures) };
}

function mergeRanges(ranges: readonly KeptRange[]): KeptRange {
  const everySeconds = ranges[0]?.everySeconds ?? 0;
  const tools = joinTallies(ranges.map((range) => range.tools));
  const stepOf = ({ at }: FigureSample) => Math.floor(Date.parse(at) / 1_000 / everySeconds);
  const ofServers = ranges.map(({ samples }) => Map.groupBy(samples, stepOf))
    .filter(({ size }) => size > 0);
  const steps = ofServers.flatMap((own) => [...own.keys()]);
  const [first, newest] = [Math.min(...steps), Math.max(...steps)];
  const current = ofServers.map((own) => Math.max(...own.keys()))
    .filter((last) => newest - last <= MOST_MISSED);
  const samples: FigureSample[] = [];
  for (let step = first; step <= Math.min(...current, newest); step++) {
    const at = new Date((step + 1) * everySeconds * 1_000).toISOString();
    const known = ofServers.flatMap((own) => sampleAt(own, step, at));
    if (known.length > 0) samples.push(sumOf(known, at));
  }
  return { everySeconds, samples, tools };
}

/** What a server did in a step; if it just missed that, it is as it was in the one before. */
function sampleAt(
  own: ReadonlyMap<number, readonly FigureSample[]>,
  step: number,
  at: string,
): FigureSample[] {
  const found = own.get(step);
  if (found !== undefined) return [joinSamples(found, at)];
  const before = own.get(step - 1)?.at(-1);
  return before === undefined ? [] : [{ ...before, calls: 0, failures: 0 }];
}

function sumOf(samples: readonly FigureSample[], at: string): FigureSample {
  const sum = (key: Exclude<keyof FigureSample, "at">) =>
    samples.reduce((total, sample) => total + sample[key], 0);
  return {
    at,
    calls: sum("calls"),
    failures: sum("failures"),
    runs: sum("runs"),
    queue: sum("queue"),
    memoryBytes: sum("memoryBytes"),
  };
}

/** The metrics of one server, in the text format of Prometheus. */
export interface ServerMetrics {
  readonly server: string;
  readonly text: string;
}

const COMMENT = /^# (?:HELP|TYPE) (\S+)/;
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?( .*)$/;

/**
 * Joins the metrics of several servers: each sample gets the label `server`, and each metric is
 * described once, by the first server that has it (Prometheus, "Text-based format"). The metric
 * `trestle_up` is 0 for the servers that did not answer.
 */
export function mergeMetrics(
  all: readonly ServerMetrics[],
  unreachable: readonly string[] = [],
): string {
  /** The lines of each metric. */
  const families = new Map<string, { readonly first: ServerMetrics; readonly lines: string[] }>();
  for (const metrics of all) {
    let lines: string[] = [];
    for (const line of metrics.text.split("\n")) {
      const [, metric] = COMMENT.exec(line) ?? [];
      if (metric === undefined) lines.push(...withServer(line, metrics.server));
      else {
        const family = families.get(metric) ?? { first: metrics, lines: [] };
        families.set(metric, family);
        lines = family.lines;
        if (family.first === metrics) lines.push(line);
      }
    }
  }
  const up = [
    "# HELP trestle_up Whether the server has answered with its metrics",
    "# TYPE trestle_up gauge",
    ...all.flatMap(({ server }) => withServer("trestle_up 1", server)),
    ...unreachable.flatMap((server) => withServer("trestle_up 0", server)),
  ];
  const blocks = [up, ...[...families.values()].map(({ lines }) => lines)];
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

/** The line of a sample with the label; none for any other line. */
function withServer(line: string, server: string): string[] {
  const [, name, labels = "", value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) return [];
  const own = `server=${JSON.stringify(server)}`;
  return [`${name}{${labels === "" ? own : `${own},${labels}`}}${value}`];
}

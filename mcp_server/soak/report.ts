import type { Sample } from "./server_watch.ts";

/** What a soak has measured. */
export interface SoakFigures {
  readonly seconds: number;
  readonly calls: number;
  readonly answered: number;
  readonly cancelled: number;
  readonly wrong: readonly string[];
  /** Command lines of the processes still running at the end. */
  readonly processesLeft: readonly string[];
  readonly samples: readonly Sample[];
  /** Growth of memory in MiB a minute. */
  readonly slope: number;
  /** What the server logged of them. */
  readonly unhandled: readonly string[];
  readonly exitCode: number;
  readonly audit: { readonly starts: number; readonly ends: number };
  readonly temporaryFiles: number;
}

/** One line of the table: a figure, and whether it is acceptable. */
export interface Finding {
  readonly what: string;
  readonly value: string;
  readonly good: boolean;
}

/** A connection or two more than at the start may be open, because the traffic fills pools. */
const SPARE_DESCRIPTORS = 40;
/** In a shorter run the slope shows the warm-up rather than a leak. */
const SLOPE_SECONDS = 300;
const MOST_SLOPE = 4;

/** Decides for each figure of a soak whether it is acceptable. */
export function judge(figures: SoakFigures): Finding[] {
  const { calls, answered, cancelled, wrong, samples, slope, audit, seconds } = figures;
  const [first, last] = [samples[0], samples.at(-1)];
  const descriptors = (last?.descriptors ?? NaN) - (first?.descriptors ?? NaN);
  const isLong = seconds >= SLOPE_SECONDS;
  const mib = (sample?: Sample) => `${sample?.memory.toFixed(0)} MiB`;
  return [
    { what: "calls", value: `${calls}`, good: answered > 0 },
    { what: "answered", value: `${answered}`, good: answered + cancelled + wrong.length >= calls },
    { what: "cancelled", value: `${cancelled}`, good: true },
    { what: "wrong answers", value: `${wrong.length}`, good: wrong.length === 0 },
    {
      what: "processes left",
      value: `${figures.processesLeft.length} ${figures.processesLeft.join("; ")}`.trim(),
      good: figures.processesLeft.length === 0,
    },
    {
      what: "descriptors, start and end",
      value: `${first?.descriptors}, ${last?.descriptors}`,
      good: descriptors <= SPARE_DESCRIPTORS,
    },
    { what: "memory, start and end", value: `${mib(first)}, ${mib(last)}`, good: true },
    {
      what: isLong ? "memory, growth" : "memory, growth (not judged: too short)",
      value: `${slope.toFixed(1)} MiB/min`,
      good: !isLong || slope <= MOST_SLOPE,
    },
    zero("unhandled rejections", figures.unhandled.length),
    zero("exit code", figures.exitCode),
    {
      what: "audit lines of starts and ends",
      value: `${audit.starts}, ${audit.ends}`,
      good: audit.starts === audit.ends && audit.starts >= answered && audit.starts <= calls,
    },
    zero("temporary files left", figures.temporaryFiles),
  ];
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

import type { EndedCallRecord, ToolFigures } from "../tool/live_calls.ts";

/** How many tools are told apart for a while; calls of further ones are left out. */
const MOST_TOOLS = 500;
/** Each bucket of durations reaches up to a tenth further than the one before it. */
const GROWTH = 1.1;

/** How the calls of a tool went, in a form that can be added up: of some minutes, or of servers. */
export interface ToolTally {
  readonly tool: string;
  readonly calls: number;
  /** How many calls had each outcome other than `ok`. */
  readonly failures: Readonly<Record<string, number>>;
  /** How many calls took how long, by bucket. */
  readonly durations: Readonly<Record<string, number>>;
  /** The one that took longest. */
  readonly longest: ToolFigures["longest"];
}

/** A tally to which others are added. */
interface Sum {
  readonly tool: string;
  calls: number;
  readonly failures: Record<string, number>;
  readonly durations: Record<string, number>;
  longest: ToolTally["longest"];
}

/** The tally of one call. */
export function tallyOf(call: EndedCallRecord): ToolTally {
  const { id, tool, outcome, durationMs, startedAt, job, server } = call;
  const bucket = Math.ceil(Math.log(Math.max(durationMs, 1)) / Math.log(GROWTH));
  return {
    tool,
    calls: 1,
    failures: outcome === "ok" ? {} : { [outcome]: 1 },
    durations: { [bucket]: 1 },
    longest: {
      id,
      durationMs,
      startedAt,
      ...job === undefined ? {} : { job },
      ...server === undefined ? {} : { server },
    },
  };
}

/** Adds tallies up, in bounded memory. */
export class ToolTallies {
  readonly #tools = new Map<string, Sum>();

  /** Adds a tally to that of its tool. */
  add({ tool, calls, failures, durations, longest }: ToolTally): void {
    const own = this.#tools.get(tool) ?? { tool, calls: 0, failures: {}, durations: {}, longest };
    if (own.calls === 0 && this.#tools.size === MOST_TOOLS) return;
    this.#tools.set(tool, own);
    own.calls += calls;
    addAll(own.failures, failures);
    addAll(own.durations, durations);
    if (longest.durationMs > own.longest.durationMs) own.longest = longest;
  }

  /** One tally for each tool. */
  values(): ToolTally[] {
    return [...this.#tools.values()];
  }
}

/** Adds up lists of tallies, such as those of several servers. */
export function joinTallies(lists: readonly (readonly ToolTally[])[]): ToolTally[] {
  const all = new ToolTallies();
  for (const tally of lists.flat()) all.add(tally);
  return all.values();
}

/** What a tally says to people. */
export function toToolFigures(
  { tool, calls, failures, durations, longest }: ToolTally,
): ToolFigures {
  const codes = Object.entries(failures).toSorted(([, one], [, other]) => other - one);
  const [failure] = codes[0] ?? [];
  const within = (share: number) =>
    Math.min(quantileOf(durations, Math.ceil(share * calls)), longest.durationMs);
  return {
    tool,
    calls,
    failures: codes.reduce((sum, [, count]) => sum + count, 0),
    ...failure === undefined ? {} : { failure },
    p50Ms: within(0.5),
    p95Ms: within(0.95),
    longest,
  };
}

/** The middle of the bucket of the call at a rank, the shortest one being the first. */
function quantileOf(durations: ToolTally["durations"], rank: number): number {
  let before = 0;
  const buckets = Object.entries(durations).toSorted(([one], [other]) =>
    Number(one) - Number(other)
  );
  for (const [bucket, count] of buckets) {
    before += count;
    if (before >= rank) return Math.round(GROWTH ** (Number(bucket) - 0.5));
  }
  return 0;
}

function addAll(sums: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [key, count] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + count;
}

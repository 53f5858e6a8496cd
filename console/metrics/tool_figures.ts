import type { EndedCallRecord } from "@trestle/mcp-server";

/** How the calls of a tool went. */
export interface ToolFigures {
  readonly tool: string;
  readonly calls: number;
  /** How many had another outcome than `ok`. */
  readonly failures: number;
  /** The outcome of most of these; absent if none failed. */
  readonly failure?: string | undefined;
  /** How long half of them took at most, in milliseconds. */
  readonly p50: number;
  /** How long 95 of a hundred took at most. */
  readonly p95: number;
  /** The one that took longest. */
  readonly longest: EndedCallRecord;
}

/** By what tools are sorted: the slowest, or those that fail most, at the top. */
export type ToolOrder = "latency" | "failures";

/** How the calls of each tool went, the worst at the top. */
export function toolFigures(
  calls: readonly EndedCallRecord[],
  order: ToolOrder,
): readonly ToolFigures[] {
  const tools = Map.groupBy(calls, ({ tool }) => tool);
  const figures = [...tools].flatMap(([tool, own]) => {
    const sorted = own.toSorted((one, other) => one.durationMs - other.durationMs);
    const longest = sorted.at(-1);
    return longest === undefined
      ? []
      : [{ ...failuresOf(own), tool, ...latencyOf(sorted), longest }];
  });
  const share = ({ failures, calls }: ToolFigures) => failures / calls;
  return figures.toSorted((one, other) =>
    order === "latency"
      ? other.p95 - one.p95
      : share(other) - share(one) || other.failures - one.failures
  );
}

function latencyOf(sorted: readonly EndedCallRecord[]): Pick<ToolFigures, "p50" | "p95"> {
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.durationMs ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

function failuresOf(
  calls: readonly EndedCallRecord[],
): Pick<ToolFigures, "calls" | "failures" | "failure"> {
  const failed = calls.filter(({ outcome }) => outcome !== "ok");
  const codes = [...Map.groupBy(failed, ({ outcome }) => outcome)];
  const [most] = codes.toSorted(([, one], [, other]) => other.length - one.length);
  return { calls: calls.length, failures: failed.length, failure: most?.[0] };
}

import type { EndedCallRecord, ToolFigures } from "@trestle/mcp-server";

/** By what tools are sorted: the slowest, or those that fail most, at the top. */
export type ToolOrder = "latency" | "failures";

/** The tools, the worst at the top. */
export function sortTools(tools: readonly ToolFigures[], order: ToolOrder): readonly ToolFigures[] {
  const share = ({ failures, calls }: ToolFigures) => failures / calls;
  return tools.toSorted((one, other) =>
    order === "latency"
      ? other.p95Ms - one.p95Ms
      : share(other) - share(one) || other.failures - one.failures
  );
}

/** How some calls went, by tool: for a caller that sees its own calls only. */
export function toolFigures(calls: readonly EndedCallRecord[]): readonly ToolFigures[] {
  const tools = Map.groupBy(calls, ({ tool }) => tool);
  return [...tools].flatMap(([tool, own]) => {
    const sorted = own.toSorted((one, other) => one.durationMs - other.durationMs);
    const longest = sorted.at(-1);
    return longest === undefined
      ? []
      : [{ ...failuresOf(own), tool, ...latencyOf(sorted), longest }];
  });
}

function latencyOf(sorted: readonly EndedCallRecord[]): Pick<ToolFigures, "p50Ms" | "p95Ms"> {
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.durationMs ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

function failuresOf(
  calls: readonly EndedCallRecord[],
): Pick<ToolFigures, "calls" | "failures" | "failure"> {
  const failed = calls.filter(({ outcome }) => outcome !== "ok");
  const codes = [...Map.groupBy(failed, ({ outcome }) => outcome)];
  const [most] = codes.toSorted(([, one], [, other]) => other.length - one.length);
  const counts = { calls: calls.length, failures: failed.length };
  return most === undefined ? counts : { ...counts, failure: most[0] };
}

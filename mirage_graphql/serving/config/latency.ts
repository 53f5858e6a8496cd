import type { Latency } from "../../request/executor_options.ts";

/** The longest delay of a timer. */
const MAX_MS = 2_147_483_647;

/**
 * Parses milliseconds such as `250`, or a range such as `100..400`, from which each response takes
 * a random time; `undefined` if the text is neither.
 */
export function parseLatency(
  text: string,
  random: () => number = Math.random,
): Latency | undefined {
  const [, from, to = from] = /^(\d{1,10})(?:\.\.(\d{1,10}))?$/.exec(text) ?? [];
  const [min, max] = [Number(from), Number(to)];
  if (!(min <= max && max <= MAX_MS)) return undefined;
  return min === max ? min : () => min + Math.floor(random() * (max - min + 1));
}

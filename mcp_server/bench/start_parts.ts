import { inTurns, median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { startAndCall, startBare, type StartTimes } from "./start.ts";

const ROUNDS = 7;

/** Measures the processor time of a start: until the first call, and for each part. */
export async function benchStartParts(): Promise<Row[]> {
  const processor = ({ processor }: StartTimes) => processor;
  const [floor = NaN, called = NaN] = await inTurns([
    () => startBare().then(processor),
    () => startAndCall().then(processor),
  ], ROUNDS);
  const parts = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [part, ms] of await startInParts()) {
      parts.set(part, [...parts.get(part) ?? [], ms]);
    }
  }
  return [
    {
      what: "processor time to the first call over the HTTP API / a bare server's first answer",
      value: `${called.toFixed(0)} ms`,
      ratio: called / floor,
    },
    ...[...parts].map(([part, times]) => ({
      what: `processor time of a start for ${part}`,
      value: `${median(times).toFixed(0)} ms`,
    })),
  ];
}

/** Runs `start_in_parts.ts`, which prints the time of each part. */
async function startInParts(): Promise<readonly (readonly [part: string, ms: number])[]> {
  const path = new URL("./start_in_parts.ts", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", path],
    stdin: "null",
    stderr: "inherit",
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

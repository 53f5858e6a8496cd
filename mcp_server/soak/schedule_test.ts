import { deepStrictEqual, notDeepStrictEqual, ok } from "node:assert/strict";
import { Pressure } from "./scenarios/pressure.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { schedule } from "./schedule.ts";
import { Tally } from "./tally.ts";

/** What the first runs of a seed draw; runs take as long as they want. */
async function firstRuns(seed: number, count: number, ms = 200): Promise<string[]> {
  const drawn: string[] = [];
  const scenarios = ["a", "b", "c"].map((name, at): Scenario => ({
    name,
    weight: at + 1,
    run: async ({ random }) => {
      drawn.push(`${name}${random.below(1_000)}`);
      await new Promise((resolve) => setTimeout(resolve, random.below(3)));
      if (random.below(2) === 0) random.below(5);
    },
  }));
  const parts = { tally: new Tally(), pressure: new Pressure() };
  const planned = schedule(scenarios, parts, { seed, ms, parallel: 1 });
  await planned.warmUp();
  await planned.run();
  ok(drawn.length > count || ms < 60_000, `${drawn.length} runs`);
  // The machine was busy.
  if (drawn.length <= count) return await firstRuns(seed, count, 2 * ms);
  return drawn.slice(0, count);
}

Deno.test("schedule() repeats the scenarios of a seed with their numbers", async () => {
  const runs = await firstRuns(7, 15);
  deepStrictEqual(await firstRuns(7, 15), runs);
  notDeepStrictEqual(await firstRuns(8, 15), runs);
});

Deno.test("schedule() counts a scenario that fails as wrong, except in a flood", async () => {
  const pressure = new Pressure();
  const tally = new Tally();
  const fail = (message: string) => ({
    name: "failing",
    run: () => Promise.reject(new Error(message)),
  });
  const busy = "Cannot start another command: 8 are running";
  const once = async (message: string) => {
    await schedule([fail(message)], { tally, pressure }, { seed: 1, ms: 0, parallel: 1 }).warmUp();
  };
  await once(busy);
  {
    using _flood = pressure.begin("permits");
    await once(busy);
    await once("Cannot see an answer");
  }
  deepStrictEqual(tally.wrong, [
    `failing: Error: ${busy}`,
    "failing: Error: Cannot see an answer",
  ]);
});

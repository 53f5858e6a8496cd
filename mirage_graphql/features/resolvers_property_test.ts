import fc from "fast-check";
import { checkScenario, scenarios } from "../testing/properties/scenario.ts";

/**
 * A failure prints its seed: `PROPERTY_SEED=<seed>` runs the same again, `PROPERTY_RUNS=5000` more
 * than usual.
 */
const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 60);
const SEED = Deno.env.get("PROPERTY_SEED");

/** A time limit, which also ends the search for a smaller example. */
const DEADLINE_MS = RUNS * 300;

Deno.test("random queries on random schemas and data return what graphql-js returns from plain records", async () => {
  await fc.assert(fc.asyncProperty(scenarios, checkScenario), {
    numRuns: RUNS,
    interruptAfterTimeLimit: DEADLINE_MS,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  });
});

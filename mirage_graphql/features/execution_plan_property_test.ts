import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { times } from "../../test_support/tier.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";
import { Draw } from "../testing/properties/draw.ts";
import { drawOperation } from "../testing/properties/draw_operation.ts";
import { drawSchema } from "../testing/properties/draw_schema.ts";
import { drawWorld } from "../testing/properties/draw_world.ts";
import { scenarios, type Tapes } from "../testing/properties/scenario.ts";
import { createSeededServer } from "../testing/properties/seeded_server.ts";
import { toSdl } from "../testing/properties/to_sdl.ts";

const RUNS = Number(Deno.env.get("PROPERTY_RUNS") ?? 60);
const SEED = Deno.env.get("PROPERTY_SEED");
/** What is counted must not depend on chance: the same scenarios each time. */
const COUNTED = { numRuns: times(8, 20), seed: 1 };

Deno.test("plans return what graphql-js returns for random queries, and most of these are planned", () => {
  const count = { answered: 0, planned: 0 };
  fc.assert(fc.property(scenarios, (tapes) => checkPlans(tapes, { ...count })), {
    numRuns: RUNS,
    interruptAfterTimeLimit: RUNS * 300,
    ...(SEED === undefined ? {} : { seed: Number(SEED) }),
  });
  for (const tapes of fc.sample(scenarios, COUNTED)) checkPlans(tapes, count);
  ok(count.planned > 0.6 * count.answered, `${count.planned} of ${count.answered} were planned`);
});

function checkPlans(
  { schema, records, steps }: Tapes,
  count: { answered: number; planned: number },
): void {
  const spec = drawSchema(new Draw(schema));
  const world = drawWorld(new Draw(records), spec);
  const sdl = toSdl(spec);
  const graphQLSchema = buildSchema(sdl);
  using server = createSeededServer(world, { models: {}, resolvers: {}, stored: (value) => value });
  const { planned, executed } = createPlannedMock(sdl, { data: server.dump() });
  for (const step of steps) {
    const { source, variables } = drawOperation(new Draw(step), world, graphQLSchema);
    const { data, errors } = executed(source, { ...variables });
    for (const _ of ["planned", "from the plan"]) {
      const answered = planned(source, { ...variables });
      if (errors !== undefined) strictEqual(answered, undefined, source);
      else if (answered !== undefined) deepStrictEqual(answered, data, source);
      count.answered += errors === undefined ? 1 : 0;
      count.planned += answered === undefined ? 0 : 1;
    }
  }
}

import { deepStrictEqual } from "node:assert/strict";
import { newSeed } from "../../test_support/fuzz/surface.ts";
import { documents } from "./documents.ts";
import { GRAPHQL_SURFACES } from "./surfaces.ts";

const RUNS = 100;

for (const surface of GRAPHQL_SURFACES) {
  // features/resolvers_property_test.ts runs the same inputs.
  if (surface === documents) continue;
  Deno.test(`${surface.name} reads a few random inputs as it should`, async () => {
    const { found } = await surface.run({ runs: RUNS, seed: newSeed() });
    deepStrictEqual(found, []);
  });
}

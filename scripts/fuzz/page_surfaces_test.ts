import { deepStrictEqual } from "node:assert/strict";
import { newSeed } from "../../test_support/fuzz/surface.ts";
import { PAGE_SURFACES } from "./page_surfaces.ts";

const RUNS = 100;

for (const surface of PAGE_SURFACES) {
  Deno.test(`${surface.name} reads a few random inputs as it should`, async () => {
    const { found } = await surface.run({ runs: RUNS, seed: newSeed() });
    deepStrictEqual(found, []);
  });
}

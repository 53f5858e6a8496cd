import { deepStrictEqual } from "node:assert/strict";
import { requires } from "../../test_support/services.ts";
import { times } from "../../test_support/tier.ts";
import { newSeed } from "../../test_support/fuzz/surface.ts";
import { useFuzzServer } from "./fuzz_server.ts";
import { SERVER_SURFACES } from "./surfaces.ts";

const RUNS = times(20, 100);

Deno.test({
  ...requires("sshd", "the server reads a few random inputs of every kind as it should"),
  fn: async (test) => {
    await using server = await useFuzzServer();
    for (const surface of SERVER_SURFACES) {
      await test.step(surface.name, async () => {
        const { found } = await surface.run({ runs: RUNS, seed: newSeed() });
        deepStrictEqual(found, []);
      });
    }
    deepStrictEqual(await server.stop(), []);
  },
});

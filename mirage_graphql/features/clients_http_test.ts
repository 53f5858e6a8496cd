import { deepStrictEqual } from "node:assert/strict";
import { ALL_CLIENTS } from "../testing/clients/all_clients.ts";
import { EXPECTED_OF_FEATURES, featuresOf, useFeature } from "../testing/clients/http_clients.ts";

for (const client of ALL_CLIENTS) {
  Deno.test(`${client.name} works with a fetch handler`, async (t) => {
    for (const feature of featuresOf(client)) {
      await t.step(feature, async () => {
        deepStrictEqual(await useFeature(client, feature), EXPECTED_OF_FEATURES[feature]);
      });
    }
  });
}

import { strictEqual } from "node:assert/strict";
import { checkCopy, createGraphQL16Copy, testCopy } from "./graphql16_copy.ts";

Deno.test("mirage_graphql's types compile and its tests pass on graphql 16", async () => {
  await using copy = await createGraphQL16Copy();
  for (const { success, output } of [await checkCopy(copy), await testCopy(copy, copy.tests)]) {
    strictEqual(success, true, output.slice(-5_000));
  }
});

import { ok, strictEqual } from "node:assert/strict";
import { createGraphQL16Copy, probeCopy, testCopy } from "./graphql16_copy.ts";

/** One for each part that differs between the versions; a run of all tests has all. */
const SOME = /\/features\/(execution_plan|fetch_incremental|subscriptions|errors)\w*_test\.ts$/;

Deno.test("mirage_graphql's tests of plans, streams and subscriptions pass on graphql 16, which all its packages use", async () => {
  await using copy = await createGraphQL16Copy();
  strictEqual(await probeCopy(copy), "16 true");
  const tests = copy.tests.filter((path) => SOME.test(path));
  ok(tests.length > 3);
  const { success, output } = await testCopy(copy, tests);
  strictEqual(success, true, output.slice(-5_000));
});

import { deepStrictEqual } from "node:assert/strict";
import { uniqueNames } from "./rows.ts";

Deno.test("uniqueNames() repeats no name, not even that of another column", () => {
  deepStrictEqual(uniqueNames(["a", "a", "a_2", "a", "b"]), ["a", "a_3", "a_2", "a_4", "b"]);
  deepStrictEqual(uniqueNames(["a_2", "a", "a", "a_2"]), ["a_2", "a", "a_3", "a_2_2"]);
});

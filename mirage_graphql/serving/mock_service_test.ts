import { strictEqual } from "node:assert/strict";
import { countText } from "./mock_service.ts";

Deno.test("countText() names collections if there are few", () => {
  const counts = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`t${at}s`, 5]));
  strictEqual(countText({}), "no records");
  strictEqual(countText({ people: 1, posts: 0 }), "1 people, 0 posts");
  strictEqual(countText(counts(8)).split(", ").length, 8);
  strictEqual(countText(counts(500)), "2500 records of 500 types");
});

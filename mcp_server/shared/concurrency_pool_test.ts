import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { KeyedPool } from "./concurrency.ts";

function createPool(bounds?: { most: number }) {
  const closed: string[] = [];
  return { pool: new KeyedPool<string>((item) => void closed.push(item), bounds), closed };
}

Deno.test("KeyedPool gives the item of a key that was used last, and each to one caller", () => {
  const { pool } = createPool();
  for (const item of ["a1", "a2", "b1"]) pool.give(item.slice(0, 1), item);
  deepStrictEqual([pool.oldest, pool.has("b"), pool.has("c")], ["a1", true, false]);
  deepStrictEqual(["a", "a", "a", "b"].map((key) => pool.take(key)), ["a2", "a1", undefined, "b1"]);
});

Deno.test("KeyedPool closes what is idle too long, and nothing that was taken meanwhile", async () => {
  const { pool, closed } = createPool();
  for (const item of ["a1", "a2", "a3"]) pool.give("a", item, 1);
  pool.give("a", "a4", 60_000);
  pool.give("a", "a5");
  strictEqual(pool.take("a"), "a5");
  strictEqual(pool.remove("a2"), true);
  strictEqual(pool.remove("a2"), false);
  await new Promise((resolve) => setTimeout(resolve, 30));
  deepStrictEqual([closed, pool.take("a"), pool.take("a")], [["a1", "a3"], "a4", undefined]);
  pool.close();
});

Deno.test("KeyedPool closes the item that has been idle longest when it has too many", () => {
  const { pool, closed } = createPool({ most: 2 });
  for (const item of ["a1", "b1", "a2"]) pool.give(item.slice(0, 1), item);
  deepStrictEqual([closed, pool.oldest], [["a1"], "b1"]);
  strictEqual(pool.take("b"), "b1");
  pool.give("b", "b1");
  pool.give("c", "c1");
  deepStrictEqual([closed, pool.take("b")], [["a1", "a2"], "b1"]);
});

Deno.test("KeyedPool.drop() closes an idle item, and none that was taken", () => {
  const { pool, closed } = createPool();
  pool.give("a", "a1", 60_000);
  pool.drop("a1");
  pool.give("a", "a2");
  strictEqual(pool.take("a"), "a2");
  pool.drop("a2");
  deepStrictEqual([closed, pool.has("a")], [["a1"], false]);
});

Deno.test("KeyedPool.close() closes all idle items, and those that are given later", () => {
  const { pool, closed } = createPool();
  pool.give("a", "a1");
  pool.give("b", "b1", 60_000);
  strictEqual(pool.take("a"), "a1");
  pool.close();
  pool.give("a", "a1", 60_000);
  deepStrictEqual([closed, pool.has("a"), pool.has("b")], [["b1", "a1"], false, false]);
});

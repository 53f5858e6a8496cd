import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { inParallel, takeTurn } from "./concurrency.ts";

const { signal } = new AbortController();

Deno.test("inParallel() keeps the order of the items, whichever ends first", async () => {
  const ends = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const work = inParallel([0, 1, 2], async (at) => {
    await ends[at]?.promise;
    return at * 10;
  }, { atOnce: 3 });
  for (const end of ends.toReversed()) end.resolve();
  deepStrictEqual(await work, [0, 10, 20]);
});

Deno.test("inParallel() processes no more items at once than allowed", async () => {
  let underWay = 0;
  let most = 0;
  const items = Array.from({ length: 20 }, (_, at) => at);
  await inParallel(items, async () => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    underWay--;
  }, { atOnce: 3 });
  strictEqual(most, 3);
});

Deno.test("inParallel() rejects with the first error once no work is running", async () => {
  const slow = Promise.withResolvers<void>();
  let ended = false;
  const work = inParallel([0, 1], async (at) => {
    if (at === 0) throw new RangeError("first");
    await slow.promise;
    ended = true;
  }, { atOnce: 2 });
  let isSettled = false;
  const rejected = rejects(work, RangeError).then(() => isSettled = true);
  await new Promise((resolve) => setTimeout(resolve));
  strictEqual(isSettled, false);
  slow.resolve();
  await rejected;
  strictEqual(ended, true);
});

Deno.test("inParallel() of no items has no results", async () => {
  deepStrictEqual(
    await inParallel([], () => Promise.reject(new Error("unused")), { atOnce: 2 }),
    [],
  );
});

Deno.test("takeTurn() lets work of one key take turns, and work of another continue", async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const turns = [
    takeTurn("a", () => first.promise.then(() => done.push("first")), { signal }),
    takeTurn("a", () => Promise.resolve(done.push("second")), { signal }),
  ];
  await takeTurn("b", () => Promise.resolve(done.push("other")), { signal });
  deepStrictEqual(done, ["other"]);
  first.resolve();
  await Promise.all(turns);
  deepStrictEqual(done, ["other", "first", "second"]);
});

Deno.test("takeTurn() stops waiting when it is stopped, and the next one waits on", async () => {
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const stop = new AbortController();
  const reason = new Error("stopped");
  const hanging = takeTurn("a", () => first.promise.then(() => done.push("first")), { signal });
  const stopped = takeTurn("a", () => Promise.resolve(done.push("stopped")), stop);
  const next = takeTurn("a", () => Promise.resolve(done.push("next")), { signal });
  stop.abort(reason);
  await rejects(stopped, reason);
  deepStrictEqual(done, []);
  first.resolve();
  await Promise.all([hanging, next]);
  deepStrictEqual(done, ["first", "next"]);
});

Deno.test("takeTurn() continues with the next turn after work that failed", async () => {
  const reason = new Error("failed");
  await rejects(takeTurn("a", () => Promise.reject(reason), { signal }), reason);
  strictEqual(await takeTurn("a", () => Promise.resolve("next"), { signal }), "next");
});

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { takeTurn } from "./turns.ts";

const { signal } = new AbortController();

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

import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type Expiry, firstOf, untilAborted, within } from "./deadline.ts";

const HOUR_MS = 3_600_000;

Deno.test(
  "within() reports whether a promise resolves in time",
  { sanitizeOps: true },
  async () => {
    strictEqual(await within(Promise.resolve(), 60_000), true);
    strictEqual(await within(new Promise(() => {}), 1), false);
  },
);

Deno.test("within() passes a failure on", async () => {
  await rejects(within(Promise.reject(new RangeError("no")), 60_000), RangeError);
});

Deno.test("firstOf() calls back once, synchronously, with what came first", async () => {
  const seen: Expiry[] = [];
  const stop = new AbortController();
  using deadline = firstOf({ signal: stop.signal, timeoutMs: HOUR_MS }, (expiry) => {
    seen.push(expiry);
  });
  stop.abort();
  deepStrictEqual(seen, ["aborted"]);
  strictEqual(await deadline.expired, "aborted");

  using late = firstOf({ signal: new AbortController().signal, timeoutMs: 1 });
  strictEqual(await late.expired, "timedOut");
});

Deno.test("firstOf() calls back before it returns if the signal is aborted", () => {
  const seen: Expiry[] = [];
  using _deadline = firstOf({ signal: AbortSignal.abort(), timeoutMs: 0 }, (expiry) => {
    seen.push(expiry);
  });
  deepStrictEqual(seen, ["aborted"]);
});

Deno.test("firstOf() calls nothing after disposal, and leaves no timer", () => {
  const stop = new AbortController();
  const seen: Expiry[] = [];
  firstOf({ signal: stop.signal, timeoutMs: HOUR_MS }, (expiry) => {
    seen.push(expiry);
  })[Symbol.dispose]();
  stop.abort();
  deepStrictEqual(seen, []);
});

Deno.test("untilAborted() returns the work's result, or rejects with the signal's reason", async () => {
  const { signal } = new AbortController();
  strictEqual(await untilAborted(Promise.resolve(1), signal), 1);
  await rejects(untilAborted(Promise.reject(new Error("broken")), signal), /broken/);
  await rejects(
    untilAborted(Promise.resolve(1), AbortSignal.abort(new Error("stopped"))),
    /stopped/,
  );
  const stop = new AbortController();
  const waiting = untilAborted(new Promise(() => {}), stop.signal);
  stop.abort(new Error("stopped"));
  await rejects(waiting, /stopped/);
});

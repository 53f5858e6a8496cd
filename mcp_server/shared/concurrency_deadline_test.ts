import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { type Expiry, firstOf, untilAborted, within } from "./concurrency.ts";
import { type RunEnd, untilEnd } from "../tool/command_output.ts";

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

/** A run whose ends are given, in order; `waits` are the time-outs that were waited for. */
function runWith(...ends: RunEnd[]) {
  const waits: (number | undefined)[] = [];
  const wait = ({ timeoutMs }: { readonly timeoutMs?: number | undefined }) => {
    waits.push(timeoutMs);
    return Promise.resolve(ends.shift() ?? "ended");
  };
  return { wait, waits };
}

Deno.test("untilEnd() asks only when the time-out is over whether the run goes on", async () => {
  for (const end of ["ended", "aborted"] as const) {
    const { wait, waits } = runWith(end);
    const goesOn = () => Promise.reject(new Error("Cannot ask"));
    strictEqual(await untilEnd(wait, { timeoutMs: 5, mostMs: HOUR_MS, goesOn }), end);
    deepStrictEqual(waits, [5]);
  }
  const { wait, waits } = runWith("timedOut");
  const bounds = { timeoutMs: 5, mostMs: HOUR_MS };
  strictEqual(
    await untilEnd(wait, { ...bounds, goesOn: () => Promise.resolve(false) }),
    "timedOut",
  );
  deepStrictEqual(waits, [5]);
});

Deno.test("untilEnd() goes on for the longest time at most, counted from the start", async () => {
  const { wait, waits } = runWith("timedOut", "timedOut");
  const goesOn = async () => !await within(new Promise(() => {}), 20);
  strictEqual(await untilEnd(wait, { timeoutMs: 5, mostMs: 1_000, goesOn }), "timedOut");
  const [, left = Infinity] = waits;
  strictEqual(waits.length === 2 && left > 0 && left <= 985, true, `${waits}`);
  const over = runWith("timedOut");
  strictEqual(await untilEnd(over.wait, { timeoutMs: 5, mostMs: 0, goesOn }), "timedOut");
  deepStrictEqual(over.waits, [5]);
});

import { strictEqual } from "node:assert/strict";
import { LegacyCalls } from "./legacy_calls.ts";

const NEVER = new AbortController().signal;
const A = { caller: "ci", id: "a" };

Deno.test("LegacyCalls cancels the call of a caller's session, and no other's", () => {
  const calls = new LegacyCalls();
  using mine = calls.track(A, 1, NEVER);
  using otherSession = calls.track({ ...A, id: "b" }, 1, NEVER);
  using otherCaller = calls.track({ ...A, caller: "eve" }, 1, NEVER);
  using otherId = calls.track(A, 2, NEVER);
  using otherType = calls.track(A, "1", NEVER);
  calls.cancel(A, 1, "no longer needed");
  strictEqual(mine.signal.aborted, true);
  strictEqual(String(mine.signal.reason).includes("no longer needed"), true);
  for (const { signal } of [otherSession, otherCaller, otherId, otherType]) {
    strictEqual(signal.aborted, false);
  }
});

Deno.test("LegacyCalls does nothing for ids that it does not know", () => {
  new LegacyCalls().cancel({ caller: "ci", id: "nobody" }, "__proto__", "");
});

Deno.test("LegacyCalls stops a call whose client disconnects, or has already disconnected", () => {
  const calls = new LegacyCalls();
  const client = new AbortController();
  using call = calls.track(A, 1, client.signal);
  client.abort();
  using late = calls.track(A, 2, client.signal);
  strictEqual(call.signal.aborted, true);
  strictEqual(late.signal.aborted, true);
});

Deno.test("LegacyCalls keeps nothing of a call that has ended, even if its id is reused", () => {
  const calls = new LegacyCalls();
  const first = calls.track(A, 1, NEVER);
  const second = calls.track(A, 1, NEVER);
  first[Symbol.dispose]();
  strictEqual(calls.size, 1);
  calls.cancel(A, 1, "");
  strictEqual(second.signal.aborted, true);
  second[Symbol.dispose]();
  strictEqual(calls.size, 0);
});

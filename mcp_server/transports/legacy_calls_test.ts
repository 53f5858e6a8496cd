import { strictEqual } from "node:assert/strict";
import { LegacyCalls } from "./legacy_calls.ts";

const NEVER = new AbortController().signal;

Deno.test("LegacyCalls cancels the call of a session, and no other's", () => {
  const calls = new LegacyCalls();
  using mine = calls.track("a", 1, NEVER);
  using otherSession = calls.track("b", 1, NEVER);
  using otherId = calls.track("a", 2, NEVER);
  using otherType = calls.track("a", "1", NEVER);
  calls.cancel("a", 1, "no longer needed");
  strictEqual(mine.signal.aborted, true);
  strictEqual(String(mine.signal.reason).includes("no longer needed"), true);
  for (const { signal } of [otherSession, otherId, otherType]) strictEqual(signal.aborted, false);
});

Deno.test("LegacyCalls does nothing for ids that it does not know", () => {
  new LegacyCalls().cancel("nobody", "__proto__", "");
});

Deno.test("LegacyCalls stops a call whose client disconnects, or has already disconnected", () => {
  const calls = new LegacyCalls();
  const client = new AbortController();
  using call = calls.track("a", 1, client.signal);
  client.abort();
  using late = calls.track("a", 2, client.signal);
  strictEqual(call.signal.aborted, true);
  strictEqual(late.signal.aborted, true);
});

Deno.test("LegacyCalls keeps nothing of a call that has ended, even if its id is reused", () => {
  const calls = new LegacyCalls();
  const first = calls.track("a", 1, NEVER);
  const second = calls.track("a", 1, NEVER);
  first[Symbol.dispose]();
  strictEqual(calls.size, 1);
  calls.cancel("a", 1, "");
  strictEqual(second.signal.aborted, true);
  second[Symbol.dispose]();
  strictEqual(calls.size, 0);
});

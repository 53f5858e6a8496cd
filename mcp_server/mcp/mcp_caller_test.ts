import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { CallClient, LegacyCalls } from "./mcp_caller.ts";

Deno.test("CallClient: a client that disconnects before its request is left stops the call", () => {
  const request = new AbortController();
  const client = new CallClient(request);
  request.abort("gone");
  client.release();
  deepStrictEqual([client.signal.aborted, client.signal.reason], [true, "gone"]);
});

for (const [what, isUsed] of [["a used", true], ["an unused", false]] as const) {
  Deno.test(`CallClient: once the request is left, ${what} signal is aborted by stop() alone`, () => {
    const request = new AbortController();
    const client = new CallClient(request);
    if (isUsed) strictEqual(client.signal.aborted, false);
    client.release();
    request.abort("gone");
    strictEqual(client.signal.aborted, false);
    client.stop("stopped");
    deepStrictEqual([client.signal.aborted, client.signal.reason], [true, "stopped"]);
  });
}

const NEVER = new AbortController();
const A = { caller: "ci", id: "a" };

Deno.test("LegacyCalls cancels the call of a caller's session, and no other's", () => {
  const calls = new LegacyCalls();
  const mine = new CallClient(NEVER);
  calls.track(A, 1, mine);
  const others = [
    [{ ...A, id: "b" }, 1],
    [{ ...A, caller: "eve" }, 1],
    [A, 2],
    [A, "1"],
  ] as const;
  const theirs = others.map(([session, id]) => {
    const client = new CallClient(NEVER);
    calls.track(session, id, client);
    return client;
  });
  calls.cancel(A, 1, "no longer needed");
  strictEqual(mine.signal.aborted, true);
  strictEqual(String(mine.signal.reason).includes("no longer needed"), true);
  for (const { signal } of theirs) strictEqual(signal.aborted, false);
});

Deno.test("LegacyCalls does nothing for ids that it does not know", () => {
  new LegacyCalls().cancel({ caller: "ci", id: "nobody" }, "__proto__", "");
});

Deno.test("CallClient stops a call whose client disconnects, or has already disconnected", () => {
  const request = new AbortController();
  const client = new CallClient(request);
  strictEqual(client.signal.aborted, false);
  request.abort();
  strictEqual(client.signal.aborted, true);
  strictEqual(new CallClient(request).signal.aborted, true);
  strictEqual(client.isStopped, false);
});

Deno.test("LegacyCalls keeps nothing of a call that has ended, even if its id is reused", () => {
  const calls = new LegacyCalls();
  const client = new CallClient(NEVER);
  const first = calls.track(A, 1, new CallClient(NEVER));
  const second = calls.track(A, 1, client);
  first[Symbol.dispose]();
  strictEqual(calls.size, 1);
  calls.cancel(A, 1, "");
  strictEqual(client.signal.aborted, true);
  second[Symbol.dispose]();
  strictEqual(calls.size, 0);
});

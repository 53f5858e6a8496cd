import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { SHUTTING_DOWN } from "./refusals.ts";
import { RunningCall } from "./running_call.ts";

const NOBODY = { signal: new AbortController().signal };

Deno.test("RunningCall says why it was stopped; the first reason counts", () => {
  using call = new RunningCall(NOBODY);
  strictEqual(call.refusal, undefined);
  call.stop(SHUTTING_DOWN);
  call.stop("too late to be the reason");
  deepStrictEqual(call.refusal, SHUTTING_DOWN);
});

Deno.test("RunningCall stops with its client, even one that has already disconnected", () => {
  const client = new AbortController();
  using call = new RunningCall(client);
  strictEqual(call.signal.aborted, false);
  client.abort("gone");
  strictEqual(call.signal.reason, "gone");
  using late = new RunningCall(client);
  strictEqual(late.signal.reason, "gone");
  strictEqual(late.refusal?.kind, "CANCELLED");
});

Deno.test("RunningCall reads its client's signal only when its own is read", () => {
  let asked = false;
  const client = {
    get signal() {
      asked = true;
      return NOBODY.signal;
    },
  };
  using call = new RunningCall(client);
  strictEqual(call.refusal, undefined);
  strictEqual(asked, false);
  strictEqual(call.signal.aborted, false);
  strictEqual(asked, true);
});

Deno.test("RunningCall forgets its client when it has ended", async () => {
  const client = new AbortController();
  const call = new RunningCall(client);
  const { signal } = call;
  const { ended } = call;
  call[Symbol.dispose]();
  await ended;
  client.abort();
  strictEqual(signal.aborted, false);
});

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { CallClient } from "./mcp_caller.ts";

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

import { ok, rejects } from "node:assert/strict";
import { within } from "../shared/deadline.ts";
import { fetchJson } from "./fetch_json.ts";

const GARBAGE_BYTES = 64 * 1024 * 1024;

/** Lets the garbage collector run several times, also after a response that is on its way. */
async function collectGarbage(): Promise<void> {
  for (let times = 0; times < 20; times++) {
    new Uint8Array(GARBAGE_BYTES).fill(times);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

Deno.test("fetchJson() stops reading a body that has no end, also after a garbage collection", async () => {
  const closing = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const options = { hostname: "127.0.0.1", port: 0, signal: closing.signal, onListen() {} };
  const server = Deno.serve(options, () => {
    resolve();
    return new Response(
      new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode("{")) }),
    );
  });
  const stop = new AbortController();
  const fetched = fetchJson(`http://127.0.0.1:${server.addr.port}/keys`, stop.signal);
  const refused = rejects(fetched, /^Error: Cannot fetch "http:.+\/keys": it did not answer/);
  try {
    await asked;
    await collectGarbage();
    stop.abort();
    ok(await within(refused, 10_000), "it still waits for the body");
  } finally {
    closing.abort();
    await server.finished;
  }
});

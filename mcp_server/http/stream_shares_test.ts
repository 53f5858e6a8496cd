import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { bearerOf } from "../testing/callers_file.ts";
import { startJobsServer } from "../testing/jobs_server.ts";
import { postMcp } from "../testing/mcp_request.ts";
import { StreamShares } from "./stream_shares.ts";

const ann = { name: "ann" };
const bob = { name: "bob" };
const eve = { name: "eve" };
const joe = { name: "joe" };
const open = { completed: new Promise<void>(() => {}) };

Deno.test("StreamShares gives a caller a quarter of the connections, and all callers three", () => {
  const shares = new StreamShares(8);
  const [first] = [ann, ann, bob, bob, eve].map((caller) => shares.enter(caller, open));
  throws(() => shares.enter(ann, open), {
    code: "BUSY",
    message: 'Cannot wait: 2 waits and streams of the caller "ann" are open, as many as ' +
      "MCP_MAX_CONNECTIONS allows; end one, or ask again later without waiting",
  });
  shares.enter(joe, open);
  throws(() => shares.enter(eve, open), { code: "BUSY", message: /^Cannot wait: 6 waits and str/ });
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  shares.enter(eve, open);
  throws(() => shares.enter(joe, open), { code: "BUSY" });
});

Deno.test("StreamShares counts a request no more once its response is over, sent or not", async () => {
  const shares = new StreamShares(4);
  const failed = Promise.reject(new Error("gone"));
  for (const completed of [Promise.resolve(), failed]) {
    const place = shares.enter(ann, { completed });
    throws(() => shares.enter(ann, open), { code: "BUSY" });
    await completed.catch(() => {});
    place[Symbol.dispose]();
  }
  shares.enter(ann, open);
});

Deno.test("a caller that opens streams and waits without end leaves connections to others", async () => {
  const rights = { tools: ["*"], maxJobs: 1, maxCalls: 1 };
  await using jobs = await startJobsServer({
    callers: { bob: rights, ann: rights },
    env: { MCP_MAX_CONNECTIONS: "16" },
  });
  const { url } = jobs.server;
  const [headers, other] = [bearerOf("bob"), bearerOf("ann")];
  const call = { tool: "bash-script", args: { script: "sleep 300" } };
  const { id } = await (await jobs.start(call, headers)).json();
  const path = `/api/jobs/${id}`;
  const leave = new AbortController();
  const { signal } = leave;
  const streams = [
    await jobs.send(`${path}/events`, { headers, signal }),
    await jobs.send(`${path}/events`, { headers, signal }),
    await jobs.send(`${path}/events`, { headers, signal }),
    await listen(url, { headers, signal }),
  ];
  deepStrictEqual(streams.map(({ status }) => status), [200, 200, 200, 200]);
  const refused = [
    await jobs.send(`${path}/events`, { headers }),
    await jobs.send(`${path}?wait=60`, { headers }),
    await jobs.start(call, { ...headers, prefer: "respond-async, wait=60" }),
    await listen(url, { headers }),
  ];
  for (const response of refused) {
    deepStrictEqual([response.status, response.headers.get("retry-after")], [429, "1"]);
    match(await response.text(), /4 waits and streams of the caller \\"bob\\" are open/);
  }
  strictEqual((await jobs.send(path, { headers })).status, 200, "the rest is answered");
  const own = await listen(url, { headers: other, signal });
  strictEqual(own.status, 200);
  leave.abort();
  await Promise.allSettled([...streams, own].map((one) => one.body?.cancel()));
  ok(await isAccepted(() => jobs.send(`${path}/events`, { headers })));
});

function listen(url: string, init: { headers: HeadersInit; signal?: AbortSignal }) {
  const params = { notifications: { toolsListChanged: true } };
  return postMcp(url, { method: "subscriptions/listen", params }, init);
}

/** Whether a request is answered with 200 once the server has noticed who is gone. */
async function isAccepted(send: () => Promise<Response>): Promise<boolean> {
  const latest = performance.now() + 30_000;
  while (performance.now() < latest) {
    const { status, body } = await send();
    await body?.cancel();
    if (status === 200) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

import { ok, strictEqual } from "node:assert/strict";
import { request } from "node:http";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, writeCallers } from "./testing/callers_file.ts";
import { callApi } from "./testing/http_caller.ts";
import { startServer } from "./testing/server_process.ts";

const HEADERS = { "content-type": "application/json" };

Deno.test("what is refused leaves a line in the audit, at most once a second for an address", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tools: ["read-*"] } });
  await using server = await startServer({ args: ["--callers", path] });
  const headers = { ...HEADERS, ...bearerOf("ci") };
  const { status } = await callApi(server.url, "bash-script", { script: "id" }, { headers });
  strictEqual(status, 403);
  await server.logged(
    /"audit":"refused",.*"code":"NOT_ALLOWED","transport":"http","address":"127.0.0.1","tool":"bash-script","caller":"ci"/,
  );
  const refused = async (init: RequestInit) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (let count = 0; count < 20; count++) {
      await (await fetch(`${server.url}/api/tools`, init)).body?.cancel();
    }
  };
  await refused({});
  await server.logged(/"code":"UNAUTHORIZED","transport":"http","address":"127.0.0.1"\}/);
  await refused({ headers: { ...bearerOf("ci"), origin: "https://evil.example" } });
  await server.logged(
    /"code":"ORIGIN_NOT_ALLOWED","transport":"http","address":"127.0.0.1","more":\d+\}\n/,
  );
  const lines = refusalsIn(server.stderr());
  const first = lines.findIndex(({ code }) => code === "ORIGIN_NOT_ALLOWED");
  const counted = lines.slice(0, first + 1).reduce((sum, { more = 0 }) => sum + 1 + more, 0);
  strictEqual(counted, 22, "each refusal has a line, or is counted by the next one");
  const times = lines.map(({ time }) => Date.parse(time));
  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
  // The clock of these times is not the one by which a second is measured.
  ok(pauses.every((pause) => pause > 990), `${pauses} ms`);
  strictEqual(/"audit":"start"/.test(server.stderr()), false);
});

/** The whole lines about refusals in a log. */
function refusalsIn(log: string): { time: string; code: string; more?: number }[] {
  const lines = log.split("\n").slice(0, -1).filter((line) => line.includes('"audit":"refused"'));
  return lines.map((line) => JSON.parse(line));
}

/** The ways by which a job can be started over HTTP. */
const STARTS: readonly [path: string, body: object, headers: Record<string, string>][] = [
  ["/api", { tool: "bash-script", args: {} }, { prefer: "respond-async" }],
  ["/api", { tool: "job-start", args: { tool: "bash-script", args: {} } }, {}],
  [
    "/mcp",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "bash-script", arguments: {}, task: {} },
    },
    { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
  ],
];

Deno.test("a job that is refused leaves the address of its client in the audit, however it is started", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tools: ["job-start"] } });
  await using server = await startServer({
    args: ["--callers", path],
    env: { MCP_DATA_DIR: folder.path },
  });
  for (const [at, [start, body, headers]] of STARTS.entries()) {
    // One address has one line a second, so each way has an address of its own.
    const address = `127.0.0.${at + 2}`;
    await postFrom(address, `${server.url}${start}`, {
      body,
      headers: { ...HEADERS, ...bearerOf("ci"), ...headers },
    });
    await server.logged(
      new RegExp(
        `"audit":"refused",.*"code":"NOT_ALLOWED","transport":"job","address":"${address}",` +
          '"tool":"bash-script","caller":"ci"',
      ),
    );
  }
});

/** Posts JSON from one of the addresses of this machine; resolves once it is answered. */
async function postFrom(
  localAddress: string,
  url: string,
  { body, headers }: { readonly body: object; readonly headers: Record<string, string> },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(url, { method: "POST", localAddress, headers }, (response) => {
    response.resume();
    response.on("end", resolve);
  });
  sent.on("error", reject);
  sent.end(JSON.stringify(body));
  await promise;
}

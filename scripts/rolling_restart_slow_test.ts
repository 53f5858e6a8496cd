import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { freePort } from "../mcp_server/testing/free_port.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { type ServerProcess, startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { startNginx } from "./testing/nginx.ts";

const NAMES = ["web-1", "web-2", "web-3"] as const;
const TOKEN = "a-token-that-is-long-enough-for-tests";
/** How many clients call, and start jobs, one after another. */
const CLIENTS = { calls: 6, jobs: 3 };
/** How long nginx leaves a server out, as the page has it. */
const LEFT_OUT_MS = 10_000;
/** A bound, not an expectation. */
const END_MS = 300_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function shownSite(): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  return codeBlocks(page).findLast(({ language }) => language === "nginx")?.code ?? "";
}

Deno.test({
  ...requires("nginx", "three servers behind nginx restart under load without a failed request"),
  fn: async () => {
    await using postgres = await startPostgres();
    const ports = NAMES.map(() => freePort());
    await using servers = new AsyncDisposableStack();
    const running: ServerProcess[] = [];
    const start = async (at: number) => {
      const server = await startServer({
        args: ["--log-level", "error"],
        env: {
          MCP_JOBS_URL: postgres.url(),
          MCP_TOKEN: TOKEN,
          MCP_ALLOWED_HOSTS: "localhost",
          MCP_AUDIT_FILE: "/dev/null",
          MCP_MAX_RUNS: "32",
          MCP_NAME: NAMES[at] ?? "",
          MCP_PORT: `${ports[at]}`,
          MCP_DRAIN_MS: "30000",
        },
      });
      running[at] = servers.use(server);
    };
    for (const at of NAMES.keys()) await start(at);
    await using nginx = await startNginx(
      await shownSite(),
      ...ports.map((port) => new URL(`http://127.0.0.1:${port}`)),
    );
    using client = Deno.createHttpClient({ caCerts: [nginx.cert] });
    const signal = AbortSignal.timeout(END_MS);
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const failed: string[] = [];
    let succeeded = 0;
    const send = async (path: string, init: RequestInit = {}) => {
      const all = { ...init, client, signal, headers: { ...headers, ...init.headers } };
      try {
        const response = await fetch(nginx.url + path, all);
        const text = await response.text();
        if (response.status < 300) return succeeded++, text;
        failed.push(`${init.method ?? "GET"} ${path}: ${response.status} ${text.slice(0, 300)}`);
      } catch (error) {
        failed.push(`${init.method ?? "GET"} ${path}: ${error}`);
      }
      return undefined;
    };
    const run = (command: string, more: object = {}, prefer = "respond-sync") =>
      send("/api", {
        method: "POST",
        headers: { prefer },
        body: JSON.stringify({
          tool: "exec-command",
          args: { commands: [{ command }] },
          ...more,
        }),
      });
    let isOver = false;
    const ids: string[] = [];
    const call = async (number: number) => {
      for (let count = 0; !isOver; count++) {
        await run(`sleep ${count % 7 === 0 ? 1.5 : 0.05}; echo ${number}`);
        await send("/api/jobs?limit=5");
      }
    };
    const startJobs = async () => {
      for (let count = 0; !isOver; count++) {
        const command = `echo begun; sleep ${count % 5}; echo ended`;
        const job = await run(command, { retries: 3 }, "respond-async");
        if (job !== undefined) ids.push(JSON.parse(job).id);
        await pause(300);
      }
    };
    const load = Promise.all([
      ...Array.from({ length: CLIENTS.calls }, (_, number) => call(number)),
      ...Array.from({ length: CLIENTS.jobs }, startJobs),
    ]);
    // What the page's script does, without ssh and systemctl.
    for (const at of NAMES.keys()) {
      let hasEnded = false;
      const end = running[at]!.stop().then((code) => (hasEnded = true, code));
      while (!hasEnded) {
        await send("/readyz");
        await pause(100);
      }
      strictEqual(await end, 0);
      await start(at);
      await pause(LEFT_OUT_MS);
    }
    isOver = true;
    await load;
    deepStrictEqual(failed, []);
    ok(succeeded > 100 && ids.length > 20, `${succeeded} requests, ${ids.length} jobs`);
    for (const id of ids) {
      let job = JSON.parse(await send(`/api/jobs/${id}?wait=30`) ?? "{}");
      while (job.endedAt === undefined) {
        job = JSON.parse(await send(`/api/jobs/${id}?wait=30`) ?? "{}");
      }
      strictEqual(job.state, "completed", JSON.stringify(job));
      strictEqual(await send(`/api/jobs/${id}/stdout`), "begun\nended\n");
    }
  },
});

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { freePort } from "../mcp_server/testing/free_port.ts";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { type ServerProcess, startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { startNginx } from "./testing/nginx.ts";

/** `TRESTLE_FLEET_JOBS=2000` is the long form: it takes some minutes. */
const JOBS = Number(Deno.env.get("TRESTLE_FLEET_JOBS") ?? 60);
const IS_LONG = JOBS > 1_000;
/** When a server is killed, and how often. */
const KILLS = IS_LONG ? { everyMs: 20_000, count: 6 } : { everyMs: 1_500, count: 1 };
/** How many clients start jobs, each after a pause, so that jobs begin during all kills. */
const CLIENTS = 8;
const PAUSE_MS = IS_LONG ? 450 : 100;
/** A bound, not an expectation. */
const END_MS = 300_000;
const TOKEN = "a-token-that-is-long-enough-for-tests";
const NAME = "tools.example.org";
const LINES = 10;

/** A job that was accepted, and the most output of it that anybody has read. */
interface Accepted {
  readonly id: string;
  readonly key: string;
  readonly retries: number;
  read: string;
}

/** A server on a port of its own, which is killed and started again. */
class Replaceable implements AsyncDisposable {
  readonly url: string;
  readonly #env: Record<string, string>;
  #server: ServerProcess | undefined;

  constructor(env: Record<string, string>) {
    const port = freePort();
    this.#env = { ...env, MCP_PORT: `${port}` };
    this.url = `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    this.#server = await startServer({ args: ["--log-level", "error"], env: this.#env });
  }

  async replace(): Promise<void> {
    await this.#server?.stop("SIGKILL");
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop();
  }
}

async function shownSite(): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  const site = codeBlocks(page).findLast(({ language }) => language === "nginx")?.code ?? "";
  return site.replace(/.*web-3.*\n/, "");
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test({
  ...requires("nginx", `${JOBS} jobs of two servers behind nginx survive kill -9`),
  fn: async () => {
    await using postgres = await startPostgres();
    await using folder = await createTempFolder();
    const env = {
      MCP_JOBS_URL: postgres.url(),
      MCP_TOKEN: TOKEN,
      MCP_ALLOWED_HOSTS: `${NAME},localhost`,
      MCP_MAX_RUNS: "16",
      MCP_MAX_JOBS: "10000",
      MCP_AUDIT_FILE: "/dev/null",
    };
    await using first = new Replaceable({ ...env, MCP_NAME: "web-1" });
    await using second = new Replaceable({ ...env, MCP_NAME: "web-2" });
    const servers = [first, second] as const;
    for (const server of servers) await server.start();
    const urls = servers.map(({ url }) => new URL(url));
    await using nginx = await startNginx(await shownSite(), ...urls);
    using client = Deno.createHttpClient({ caCerts: [nginx.cert] });
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const signal = AbortSignal.timeout(END_MS);

    /** Sends a request until a server answers it. */
    const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
      for (;;) {
        signal.throwIfAborted();
        const all = { ...init, client, signal, headers: { ...headers, ...init.headers } };
        const response = await fetch(nginx.url + path, all).catch(() => undefined);
        if (response !== undefined && response.status < 500) return response;
        await response?.body?.cancel();
        await pause(200);
      }
    };
    const stdout = async (id: string) =>
      await (await send(`/api/jobs/${id}/stdout`)).text().catch(() => "");
    const ledger = `${folder.path}/ledger`;
    const accepted: Accepted[] = [];
    const start = async (number: number) => {
      const key = `job-${number}`;
      const retries = number % 10 === 0 ? 3 : 0;
      const command = `echo ${key} >> ${ledger}; for i in $(seq ${LINES}); do echo "${key} $i"; ` +
        `read -t 0.05 <> <(:); done`;
      const response = await send("/api", {
        method: "POST",
        headers: { prefer: "respond-async", "idempotency-key": key },
        body: JSON.stringify({ tool: "exec-command", args: { commands: [{ command }] }, retries }),
      });
      strictEqual(response.status, 202, await response.clone().text());
      const { id } = await response.json();
      const job = { id, key, retries, read: "" };
      accepted.push(job);
      await pause(PAUSE_MS);
      job.read = await stdout(id);
    };
    const numbers = Array.from({ length: JOBS }, (_, at) => at).values();
    const startAll = async () => {
      for (const number of numbers) await start(number);
    };
    const killAll = async () => {
      for (let kill = 0; kill < KILLS.count; kill++) {
        await pause(KILLS.everyMs);
        await servers[kill % 2]?.replace();
      }
    };
    await Promise.all([killAll(), ...Array.from({ length: CLIENTS }, startAll)]);

    const states: Record<string, number> = {};
    const runs = Map.groupBy((await Deno.readTextFile(ledger)).trim().split("\n"), (key) => key);
    for (const { id, key, retries, read } of accepted) {
      let job = await (await send(`/api/jobs/${id}`)).json();
      while (job.state === "queued" || job.state === "running") {
        job = await (await send(`/api/jobs/${id}?wait=5`)).json();
      }
      states[job.state] = (states[job.state] ?? 0) + 1;
      ok(["completed", "lost"].includes(job.state), `${key} is ${JSON.stringify(job)}`);
      const output = await stdout(id);
      const whole = Array.from({ length: LINES }, (_, at) => `${key} ${at + 1}\n`).join("");
      ok(whole.startsWith(output), `${key} is torn: ${output}`);
      if (job.state === "completed") strictEqual(output, whole);
      if (job.attempt === 1) ok(output.startsWith(read), `${key} has lost output`);
      if (retries === 0) {
        strictEqual(job.attempt, 1);
        ok((runs.get(key)?.length ?? 0) <= 1, `${key} ran more than once`);
      } else strictEqual(job.state, "completed");
    }
    strictEqual(new Set(accepted.map(({ id }) => id)).size, JOBS);
    const ends = `SELECT count(*) FILTER (WHERE n <> 1), count(*) FROM (SELECT count(*) AS n ` +
      `FROM trestle.journal WHERE entry ~ 'completed|lost|failed|cancelled' GROUP BY job) AS ends`;
    deepStrictEqual(await postgres.ask(ends), `0|${JOBS}`);
    ok((states.lost ?? 0) > 0 || !IS_LONG, "some jobs were lost");
    if (IS_LONG) console.log(states);
  },
});

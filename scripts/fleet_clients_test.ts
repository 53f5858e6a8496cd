import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startPostgres } from "../mcp_server/testing/postgres.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { requires } from "../test_support/services.ts";
import { startNginx } from "./testing/nginx.ts";

const NAMES = ["web-1", "web-2", "web-3"] as const;
const TOKEN = "a-token-that-is-long-enough-for-tests";
/** A bound, not an expectation. */
const END_MS = 120_000;
/** What the console loads. */
const FILES = ["/", "/console/main.js", "/console/style.css", "/console/icon.svg"];

async function shownSite(): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  return codeBlocks(page).findLast(({ language }) => language === "nginx")?.code ?? "";
}

/** Three servers that share their jobs, behind the nginx of docs/deploy.md. */
async function startAll() {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startPostgres());
  const servers = await Promise.all(NAMES.map((MCP_NAME) =>
    startServer({
      args: ["--log-level", "error"],
      env: {
        MCP_NAME,
        MCP_JOBS_URL: postgres.url(),
        MCP_TOKEN: TOKEN,
        MCP_ALLOWED_HOSTS: "localhost",
        MCP_AUDIT_FILE: "/dev/null",
      },
    })
  ));
  for (const server of servers) stack.use(server);
  const urls = servers.map(({ url }) => new URL(url));
  const nginx = stack.use(await startNginx(await shownSite(), ...urls));
  const client = Deno.createHttpClient({ caCerts: [nginx.cert] });
  stack.defer(() => client.close());
  const ends = stack.move();
  const signal = AbortSignal.timeout(END_MS);
  const send = (input: URL | string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${TOKEN}`);
    return fetch(new URL(input, nginx.url), { signal, ...init, headers, client });
  };
  return { url: nginx.url, send, [Symbol.asyncDispose]: () => ends.disposeAsync() };
}

/** Asks again until something is so. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const late = performance.now() + END_MS; !await isSo();) {
    if (performance.now() > late) throw new Error("Cannot see what was waited for");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

Deno.test({
  ...requires("nginx", "a page and MCP clients work whose requests reach different servers"),
  fn: async (t) => {
    await using fleet = await startAll();
    const { send } = fleet;
    const get = async (path: string) => await (await send(path)).json();
    const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
      send(path, { method: "POST", body, headers });

    await t.step("each request reaches another server", async () => {
      const names = new Set<string>();
      for (let at = 0; at < 30 && names.size < NAMES.length; at++) {
        const { servers: [server] } = await get("/api/health");
        names.add(server.server);
      }
      deepStrictEqual([...names].toSorted(), [...NAMES]);
    });

    await t.step("the page's files are those of one version, on all of them", async () => {
      for (const path of FILES) {
        const tags = new Set<string | null>();
        for (const _ of NAMES) {
          const response = await send(path);
          await response.body?.cancel();
          strictEqual(response.status, 200);
          tags.add(response.headers.get("etag"));
        }
        strictEqual(tags.size, 1, path);
      }
    });

    await t.step("a job of the page takes input, is followed and cancelled", async () => {
      const args = {
        commands: [{ command: "while read line; do echo got $line; done; sleep 300" }],
      };
      const started = await post(
        "/api",
        JSON.stringify({ tool: "exec-command", args, stdin: true }),
        { "content-type": "application/json", prefer: "respond-async" },
      );
      const { id } = await started.json();
      await until(async () => (await get(`/api/jobs/${id}`)).state === "running");
      let lastId = "";
      let text = "";
      for (const line of ["one", "two", "three", "four"]) {
        strictEqual((await post(`/api/jobs/${id}/stdin`, `${line}\n`)).status, 204);
        const headers: Record<string, string> = lastId === "" ? {} : { "last-event-id": lastId };
        const events = await send(`/api/jobs/${id}/events`, { headers });
        let stream = "";
        for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
          stream += chunk;
          if (stream.includes(`got ${line}`) && stream.endsWith("\n\n")) break;
        }
        lastId = [...stream.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? lastId;
        text += [...stream.matchAll(/"text":"(.*?)"/g)].map(([, one]) => one).join("");
      }
      strictEqual(text, "got one\\ngot two\\ngot three\\ngot four\\n");
      await (await post(`/api/jobs/${id}/cancel`, "")).body?.cancel();
      await until(async () => (await get(`/api/jobs/${id}`)).state === "cancelled");
      // Its server stores it within a second.
      await until(async () => {
        const { calls } = await get("/api/history");
        return calls.some((call: { readonly job?: string }) => call.job === id);
      });
    });

    for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
      const name = typeof mode === "string" ? mode : mode.pin;
      await t.step(`an MCP client lists and calls tools, ${name}`, async () => {
        const client = new Client({ name: "a-client", version: "1.0.0" }, {
          versionNegotiation: { mode },
        });
        const faults: Error[] = [];
        client.onerror = (error) => faults.push(error);
        await client.connect(
          new StreamableHTTPClientTransport(new URL("/mcp", fleet.url), { fetch: send }),
        );
        for (let at = 0; at < 4; at++) {
          strictEqual((await client.listTools()).tools.length > 10, true);
          const command = `echo call ${at}`;
          const result = await client.callTool({ name: "exec-command", arguments: { command } });
          match(JSON.stringify(result.structuredContent), new RegExp(`call ${at}`));
        }
        deepStrictEqual(faults, []);
        client.onerror = undefined;
        await client.close();
      });
    }
  },
});

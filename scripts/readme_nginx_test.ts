import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { callApi, toAnswer } from "../mcp_server/testing/http_caller.ts";
import { uniqueSleep, untilProcesses } from "../mcp_server/testing/processes.ts";
import { startServer } from "../mcp_server/testing/server_process.ts";
import { codeBlocks } from "../test_support/markdown.ts";
import { ROOT } from "../test_support/root.ts";
import { hasProgram, requires } from "../test_support/services.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { type Nginx, startNginx } from "./testing/nginx.ts";

const NAME = "tools.example.org";
const TOKEN = "a-token-that-is-long-enough-for-tests";
const LARGE_BYTES = 8 * 1024 * 1024;

async function shownSite(): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  const sites = codeBlocks(page).filter(({ language }) => language === "nginx");
  strictEqual(sites.length, 2, "the page shows a site, and one of several servers");
  return sites[0]?.code ?? "";
}

/** The requests that show from outside whether a proxy is set up well. */
async function shownTrial(): Promise<string> {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/deploy.md`);
  const section = /^## Behind a proxy\n(.*?)^## /ms.exec(page)?.[1] ?? "";
  return codeBlocks(section).find(({ language }) => language === "sh")?.code ?? "";
}

/** Reads an event stream until its text contains the given one; resolves with all text so far. */
async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wanted: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

/**
 * Requests a large answer over a connection, reads its first part, and then nothing until nginx has
 * ended the request.
 */
async function readSlowly(nginx: Nginx, path: string): Promise<number> {
  const body = JSON.stringify({ tool: "read-file", args: { path, limit: LARGE_BYTES } });
  using connection = await Deno.connectTls({
    hostname: "localhost",
    port: nginx.port,
    caCerts: [nginx.cert],
  });
  const head = `POST /api HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const before = await endedRequests(nginx);
  const writer = connection.writable.getWriter();
  await writer.write(new TextEncoder().encode(head + body));
  const part = new Uint8Array(65_536);
  let read = await connection.read(part) ?? 0;
  const signal = AbortSignal.timeout(60_000);
  while (await endedRequests(nginx) === before) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  try {
    for (let size = read; size > 0; read += size) size = await connection.read(part) ?? 0;
  } catch {
    // nginx has closed the connection, without the end that TLS requires.
  }
  return read;
}

/** How many requests over HTTP/1.1 have ended. */
async function endedRequests(nginx: Nginx): Promise<number> {
  return (await nginx.protocols()).filter((protocol) => protocol === "HTTP/1.1").length;
}

Deno.test({
  ...requires(
    "nginx",
    "the nginx site of mcp_server/docs/deploy.md passes calls, events and MCP on",
  ),
  fn: async (t) => {
    await using folder = await createTempFolder();
    await using server = await startServer({
      args: ["--max-file-bytes", `${LARGE_BYTES}`],
      env: { MCP_TOKEN: TOKEN, MCP_ALLOWED_HOSTS: NAME },
    });
    const site = (await shownSite()).replace("send_timeout 60s", "send_timeout 1s");
    await using nginx = await startNginx(site, new URL(server.url));
    using client = Deno.createHttpClient({ caCerts: [nginx.cert] });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const command = (line: string) => ({ commands: [{ command: line }], timeoutMs: 60_000 });

    await t.step("over HTTP/2, with a token", async () => {
      const args = command("echo through nginx");
      const { status, body } = await callApi(nginx.url, "exec-command", args, { client, headers });
      strictEqual(status, 200);
      match(JSON.stringify(body), /through nginx\\n/);
      const refused = await toAnswer(await fetch(`${nginx.url}/api/tools`, { client }));
      strictEqual(refused.status, 401);
      strictEqual(refused.headers.get("www-authenticate"), "Bearer");
      deepStrictEqual([...new Set(await nginx.protocols())], ["HTTP/2.0"]);
    });

    await t.step("with the name of the host, which the server checks", async () => {
      const caCerts = [nginx.cert];
      using named = Deno.createHttpClient({ caCerts, allowHost: true, http2: false });
      const ask = async (host: string) => {
        const init = { client: named, headers: { ...headers, host } };
        return (await toAnswer(await fetch(`${nginx.url}/api/tools`, init))).status;
      };
      deepStrictEqual([await ask(NAME), await ask("other.example.org")], [200, 403]);
    });

    await t.step("streams that the server asks nginx not to buffer", async () => {
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      const call = { tool: "exec-command", args: command("sleep 0.3") };
      for (const [path, message] of Object.entries({ "/api": call, "/mcp": ping })) {
        const accept = "application/json, text/event-stream";
        const response = await fetch(server.url + path, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json", accept },
          body: JSON.stringify(message),
        });
        match(await response.text(), /^event: /);
        strictEqual(response.headers.get("x-accel-buffering"), "no", path);
      }
    });

    await t.step({
      name: "the requests by which the page tries a proxy",
      ignore: !hasProgram("curl"),
      fn: async () => {
        await Deno.writeTextFile(`${folder.path}/ca.pem`, nginx.cert);
        const { stdout } = await new Deno.Command("bash", {
          args: ["-euc", (await shownTrial()).replace(`https://${NAME}`, nginx.url)],
          env: { MCP_TOKEN: TOKEN, CURL_CA_BUNDLE: `${folder.path}/ca.pem` },
        }).output();
        const output = new TextDecoder().decode(stdout);
        match(output, /^ok\n401\n200\n[^]*first[^]*second[^]*event: result\n/);
      },
    });

    await t.step("events as they arrive", async () => {
      const file = `${folder.path}/go`;
      const args = command(`echo started; until [ -e ${file} ]; do sleep 0.05; done; echo ended`);
      const response = await fetch(`${nginx.url}/api`, {
        method: "POST",
        client,
        headers: { ...headers, "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify({ tool: "exec-command", args }),
      });
      const reader = response.body!.getReader();
      const first = await readUntil(reader, "started");
      ok(!first.includes("event: result"), first);
      await Deno.writeTextFile(file, "");
      match(await readUntil(reader, "event: result"), /started\\nended\\n/);
      await reader.cancel();
    });

    await t.step("MCP, with progress before the end", async () => {
      const file = `${folder.path}/go-mcp`;
      const mcp = new Client({ name: "nginx", version: "1.0.0" });
      await mcp.connect(
        new StreamableHTTPClientTransport(new URL(`${nginx.url}/mcp`), {
          fetch: (url, init) => fetch(url, { ...init, client }),
          requestInit: { headers },
        }),
      );
      const started = Promise.withResolvers<void>();
      const line = `echo started; until [ -e ${file} ]; do sleep 0.05; done; echo ended`;
      const call = mcp.callTool({ name: "exec-command", arguments: command(line) }, {
        onprogress: ({ message }) => message?.includes("started") && started.resolve(),
      });
      await started.promise;
      await Deno.writeTextFile(file, "");
      match(JSON.stringify((await call).structuredContent), /started\\nended\\n/);
      await mcp.close();
    });

    await t.step("a disconnect, which stops the command", async () => {
      const sleep = uniqueSleep();
      const gone = new AbortController();
      const { signal } = gone;
      const args = command(`sleep ${sleep}; true`);
      const call = callApi(nginx.url, "exec-command", args, { client, headers, signal })
        .then(() => "answered", () => "gone");
      await untilProcesses(sleep, 2, 30_000);
      gone.abort();
      strictEqual(await call, "gone");
      await untilProcesses(sleep, 0, 30_000);
    });

    await t.step("no bodies above the limit, and none of a client that does not read", async () => {
      const path = `${folder.path}/large`;
      await Deno.writeTextFile(path, "a".repeat(LARGE_BYTES));
      const slow = readSlowly(nginx, path);
      const large = { path, content: "b".repeat(5 * 1024 * 1024) };
      const { status } = await callApi(nginx.url, "write-file", large, { client, headers });
      strictEqual(status, 413);
      const read = await slow;
      ok(read > 0 && read < LARGE_BYTES, `${read} bytes`);
    });
  },
});

import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { isJsonObject } from "../shared/json.ts";
import { bearerOf, writeCallers } from "../testing/callers_file.ts";
import { testWithEveryClient } from "../testing/mcp_clients.ts";
import { startServer } from "../testing/server_process.ts";
import { v2Sdk } from "../testing/v2_client.ts";

const data = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(data, { recursive: true }));
const options = { env: { MCP_DATA_DIR: data } };

const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
);

/** The URI that a result links to. */
function linkOf({ content }: CallToolResult): string {
  const [link] = content.filter((block) => block.type === "resource_link");
  return link?.uri ?? "";
}

testWithEveryClient({
  name: "resources",
  server: options,
  cases: [
    {
      name: "results link to files and jobs, which are read in ranges",
      fn: async (peer) => {
        await using folder = await createTempFolder();
        const path = `${folder.path}/a b.txt`;
        await Deno.writeTextFile(path, "one\ntwo\nthree\n");
        const uri = linkOf(await peer.callTool("read-file", { path, lines: 1 }));
        strictEqual(uri, `trestle://files${folder.path}/a%20b.txt`);
        const read = async (uri: string) => (await peer.readResource(uri)).contents;
        const mimeType = "text/plain";
        deepStrictEqual(await read(uri), [
          { uri, mimeType, text: "one\ntwo\nthree\n", _meta: { "io.trestle/size": 14 } },
        ]);
        const part = `${uri}?line=2&lines=1`;
        deepStrictEqual(await read(part), [{
          uri: part,
          mimeType,
          text: "two\n",
          _meta: { "io.trestle/size": 14, "io.trestle/nextLine": 3 },
        }]);
        const image = `${folder.path}/x.png`;
        await Deno.writeFile(image, PNG);
        const [picture] = await read(linkOf(await peer.callTool("read-file", { path: image })));
        deepStrictEqual([picture?.mimeType, picture && "blob" in picture && picture.blob], [
          "image/png",
          PNG.toBase64(),
        ]);

        const args = { command: "echo a line; echo another" };
        const started = await peer.callTool("job-start", { tool: "exec-command", args });
        const output = linkOf(started);
        match(output, /^trestle:\/\/jobs\/[0-9a-f-]{36}\/stdout$/);
        await peer.callTool("job-wait", { id: output.split("/")[3] });
        const [whole] = await read(output);
        deepStrictEqual(whole && "text" in whole && whole.text, "a line\nanother\n");
        const [tail] = await read(`${output}?tail=8`);
        deepStrictEqual(tail && "text" in tail && tail.text, "another\n");
        const [found] = await read(`${output}?search=an.*`);
        match(JSON.stringify(found), /application\/json.*another/);

        const { resourceTemplates } = await peer.listResourceTemplates();
        deepStrictEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
          "trestle://jobs/{id}/{stream}{?offset,limit,tail,search}",
          "trestle://files{+path}{?line,lines,offset,limit,encoding}",
        ]);
      },
    },
    {
      name: "resources/read says why there is nothing to read",
      fn: async (peer) => {
        const cases: [string, RegExp][] = [
          ["trestle://files/no/such/file", /it does not exist/],
          ["trestle://files/etc/hostname?line=x", /line/],
          ["trestle://files/etc?line=1", /a folder/],
          ["trestle://jobs/0/stdout", /unknown, has expired, or is another caller's/],
          ["trestle://jobs/0/stdin", /stream/],
          ["file:///etc/hostname", /Resource .*not found|Resource not found/],
        ];
        for (const [uri, message] of cases) await rejects(peer.readResource(uri), message, uri);
      },
    },
  ],
});

Deno.test("resources are bounded by the rights of their caller", async () => {
  await using folder = await createTempFolder();
  await Deno.mkdir(`${folder.path}/srv`);
  await Deno.writeTextFile(`${folder.path}/srv/f`, "inside");
  await Deno.writeTextFile(`${folder.path}/secret`, "secret");
  await Deno.symlink("../secret", `${folder.path}/srv/link`);
  const nothing = { hosts: [], databases: {} };
  const callers = await writeCallers(folder.path, {
    reader: { ...nothing, tools: ["read-file", "job-*"], paths: [`${folder.path}/srv/**`] },
    runner: { ...nothing, tools: ["exec-command", "job-*"], paths: ["/**"] },
  });
  await using server = await startServer({ ...options, args: ["--callers", callers] });
  const url = new URL(`${server.url}/mcp`);
  const sdk = v2Sdk("2026-07-28");
  const [reader, runner] = await Promise.all(
    ["reader", "runner"].map((name) => sdk.connectHttp(url, bearerOf(name))),
  );
  const at = `trestle://files${folder.path}`;
  const [file] = (await reader!.readResource(`${at}/srv/f`)).contents;
  strictEqual(file && "text" in file && file.text, "inside");
  for (const name of ["secret", "srv/link", "srv/../secret", "srv%2F..%2Fsecret"]) {
    await rejects(reader!.readResource(`${at}/${name}`), /not among the paths/, name);
  }
  await rejects(runner!.readResource(`${at}/srv/f`), /not found/i);
  const args = { command: "echo mine" };
  const uri = linkOf(await runner!.callTool("job-start", { tool: "exec-command", args }));
  await runner!.callTool("job-wait", { id: uri.split("/")[3] });
  const [own] = (await runner!.readResource(uri)).contents;
  strictEqual(own && "text" in own && own.text, "mine\n");
  await rejects(reader!.readResource(uri), /is another caller's/);
  await Promise.all([reader, runner].map((client) => client!.close()));
});

Deno.test("a client of a revision without links gets none", async () => {
  await using server = await startServer();
  const call = { name: "read-file", arguments: { path: "/etc/hostname" } };
  for (const version of ["2025-03-26", undefined, "2025-06-18", "2025-11-25"]) {
    const headers: Record<string, string> = version === undefined
      ? {}
      : { "mcp-protocol-version": version };
    const response = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
    });
    const data = (await response.text()).replace(/^[^]*?data: /, "");
    const { result }: { result: unknown } = JSON.parse(data);
    const { content } = isJsonObject(result) ? result : {};
    const kinds = Array.isArray(content)
      ? content.map((block) => isJsonObject(block) && block.type)
      : [];
    const links = version !== undefined && version >= "2025-06-18" ? ["resource_link"] : [];
    deepStrictEqual(kinds, ["text", ...links], String(version));
  }
});

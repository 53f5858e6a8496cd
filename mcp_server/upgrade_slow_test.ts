import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type DiffEdit, diffEdits, moduleExample, withEdits } from "../test_support/markdown.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { createApp } from "./app.ts";
import { parseConfig } from "./settings/parse_config.ts";
import type { Job } from "./tool/job.ts";
import { serveHttp } from "./serve.ts";
import { callApi } from "./testing/http_caller.ts";
import { lostSince, type RecordedCall, sendRecorded } from "./testing/recorded_calls.ts";
import { serverCommand, startServer } from "./testing/server_process.ts";
import { v2Sdk } from "./testing/v2_client.ts";
import { V1_SDK } from "./testing/v1_client.ts";
import type { PeerClient } from "./testing/mcp_peer.ts";

// What 0.1.0, the first versions with jobs and callers, and 0.2.0 left; see
// scripts/testing/old_versions.
const OLD = new URL("./testdata/version_0_1_0", import.meta.url).pathname;
const SECOND = new URL("./testdata/version_0_2_0", import.meta.url).pathname;
const TOKEN = "token-of-version-0.1.0";
const HEADERS = { authorization: `Bearer ${TOKEN}` };

async function readOld(name: string, version = OLD) {
  return JSON.parse(await Deno.readTextFile(`${version}/${name}`));
}

async function unpack(archive: string, folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const command = new Deno.Command("tar", { args: ["-xzf", archive, "-C", folder] });
  strictEqual((await command.output()).code, 0);
}

/** Sends recorded requests again; lists what the responses lack since they were recorded. */
async function replay(url: string, calls: readonly RecordedCall[], folder: string) {
  const lost: string[] = [];
  for (const { request, response } of calls) {
    const differences = lostSince(response, await sendRecorded(url, request, folder));
    lost.push(...differences.map((line) => `${request.path}: ${line}`));
  }
  return lost;
}

/** The list of tools, which never changed, can change now. */
const GAINED = ["/mcp: $.body[0].data.result.capabilities.tools.listChanged is true"];

Deno.test("the folder, the audit and the clients of 0.1.0 go on with this version", async (t) => {
  await using work = await createTempFolder();
  const folder = work.path;
  const [audit, data] = [`${folder}/audit.jsonl`, `${folder}/data`];
  await unpack(`${OLD}/jobs.tgz`, data);
  await unpack(`${OLD}/data.tgz`, `${folder}/old`);
  await Deno.copyFile(`${OLD}/audit.jsonl`, audit);
  // A call of 0.1.0 creates this database, which takes `create: true` since.
  await Deno.create(`${data}/logs.db`).then((file) => file.close());
  const server = await startServer({
    env: {
      HOME: folder,
      MCP_TOKEN: TOKEN,
      MCP_DATA_DIR: data,
      MCP_AUDIT_FILE: audit,
      MCP_TOOLS_DIR: `${OLD}/own_tools`,
      MCP_DATABASE_BEFORE: `sqlite://${folder}/old/main.db`,
      MCP_LOG_LEVEL: "error",
    },
  });
  const { url } = server;

  await t.step("requests are answered as they were", async () => {
    deepStrictEqual(await replay(url, await readOld("calls.json"), folder), GAINED);
  });

  await t.step("databases of sql-query are opened", async () => {
    const batches = [{ database: "before", queries: ["SELECT name, people FROM city"] }];
    const { body } = await callApi(url, "sql-query", { batches }, { headers: HEADERS });
    match(JSON.stringify(body), /"rows":\[\{"name":"Bern","people":"9007199254740993"\}\]/);
  });

  await t.step("jobs are there with their output, and those that ran are lost", async () => {
    await checkJobs(url, await readOld("jobs.json"));
  });

  await t.step("a request with the key of an old job returns the result of that job", async () => {
    await checkSameKey(url, await readOld("jobs.json"));
  });

  await server.stop();
  await t.step("the audit has its old lines, and new ones after them", async () => {
    const [old, text] = [
      await Deno.readTextFile(`${OLD}/audit.jsonl`),
      await Deno.readTextFile(audit),
    ];
    ok(text.startsWith(old));
    const lines = text.slice(old.length).trim().split("\n").map((line) => JSON.parse(line));
    const ends = lines.filter(({ audit }) => audit === "end");
    ok(ends.length > 30 && ends.every(({ caller }) => caller === "default"));
    strictEqual(((await Deno.stat(audit)).mode ?? 0) & 0o777, 0o600);
  });
});

interface OldJob {
  readonly job: Job;
  readonly stdout: string;
  readonly stderr: string;
}

async function checkJobs(url: string, old: readonly OldJob[]): Promise<void> {
  const send = (path: string) => fetch(`${url}/api/jobs${path}`, { headers: HEADERS });
  const { jobs } = await (await send("?limit=100")).json();
  deepStrictEqual(jobs.map(({ id }: Job) => id), old.map(({ job }) => job.id).toReversed());
  for (const { job, stdout, stderr } of old) {
    const isLive = ["queued", "running"].includes(job.state);
    const now = await (await send(`/${job.id}${isLive ? "?wait=30" : ""}`)).json();
    const { caller: _digest, expiresAt: _moved, state, ...kept } = { ...job };
    deepStrictEqual(lostSince(kept, now), []);
    deepStrictEqual([now.caller, now.state], ["default", isLive ? "lost" : state]);
    strictEqual(await (await send(`/${job.id}/stdout`)).text(), stdout);
    strictEqual(await (await send(`/${job.id}/stderr`)).text(), stderr);
  }
}

/** Sends the request of the second job again, with its key, which starts no job. */
async function checkSameKey(url: string, old: readonly OldJob[]): Promise<void> {
  const key = { "idempotency-key": "once" };
  const again = await startJob(url, "echo out; echo err >&2; exit 3", key);
  deepStrictEqual(await again.json(), old[1]?.job.result);
  const { jobs } = await (await fetch(`${url}/api/jobs`, { headers: HEADERS })).json();
  strictEqual(jobs.length, old.length, "no job is started again");
}

function startJob(url: string, command: string, headers: object = {}): Promise<Response> {
  return fetch(`${url}/api`, {
    method: "POST",
    headers: {
      ...HEADERS,
      "content-type": "application/json",
      prefer: "respond-async",
      ...headers,
    },
    body: JSON.stringify({ tool: "exec-command", args: { commands: [{ command }] } }),
  });
}

/** The edits that the change log tells users of a version to make. */
async function editsSince(version: string): Promise<readonly DiffEdit[]> {
  const log = await Deno.readTextFile(new URL("CHANGELOG.md", import.meta.url));
  const [, section = ""] = log.split(`### Upgrading from ${version}\n`);
  return diffEdits(section.split(/^### /m)[0] ?? "");
}

/** A folder with a tool about jobs of 0.2.0, edited, under a name that no other tool has. */
async function editedTools(folder: string): Promise<string> {
  const program = await Deno.readTextFile(`${SECOND}/job-cancel.txt`);
  await Deno.mkdir(`${folder}/tools`);
  const edited = withEdits(program, await editsSince("0.2.0"));
  await Deno.writeTextFile(`${folder}/tools/stop-job.ts`, edited);
  return `${folder}/tools`;
}

Deno.test("the folder, the callers, the tools and the clients of 0.2.0 go on with this version", async (t) => {
  await using work = await createTempFolder();
  const folder = work.path;
  await unpack(`${SECOND}/jobs.tgz`, `${folder}/data`);
  await Deno.copyFile(`${SECOND}/callers.json`, `${folder}/callers.json`);
  await Deno.chmod(`${folder}/callers.json`, 0o600);
  await using server = await startServer({
    env: {
      HOME: folder,
      MCP_TOKEN: TOKEN,
      MCP_DATA_DIR: `${folder}/data`,
      MCP_CALLERS_FILE: `${folder}/callers.json`,
      MCP_TOOLS_DIR: `${SECOND}/own_tools,${await editedTools(folder)}`,
      MCP_AUDIT_FILE: "/dev/null",
      MCP_LOG_LEVEL: "error",
    },
  });
  const { url } = server;

  await t.step("jobs and their keys are there, and those that ran are lost", async () => {
    const jobs = await readOld("jobs.json", SECOND);
    await checkJobs(url, jobs);
    await checkSameKey(url, jobs);
  });

  await t.step("callers and custom tools are answered as they were", async () => {
    const [tools, callers] = [
      await readOld("calls.json", SECOND),
      await readOld("callers_calls.json", SECOND),
    ];
    deepStrictEqual(await replay(url, [...tools, ...callers], folder), []);
  });

  await t.step("a custom tool about jobs works after the edits in the change log", async () => {
    const job = await (await startJob(url, "sleep 1000")).json();
    const { body } = await callApi(url, "stop-job", { id: job.id }, { headers: HEADERS });
    strictEqual(JSON.parse(JSON.stringify(body)).job.state, "cancelled");
  });

  const [byUrl, , byCommand] = await readOld("clients.json", SECOND);
  await t.step("a client with the address in its file finds every tool", async () => {
    const address = new URL(byUrl.mcpServers.trestle.url);
    address.port = new URL(url).port;
    await checkTools(await v2Sdk("2026-07-28").connectHttp(address, HEADERS));
  });

  await t.step("a client that starts the server by its file finds every tool", async () => {
    const { command, args } = byCommand.mcpServers.trestle;
    deepStrictEqual([command, ...args.slice(0, 2)], ["npx", "-y", "deno@2.9.6"]);
    const main = new URL("./main.ts", import.meta.url).pathname;
    const program = args.slice(2).map((arg: string) => arg.endsWith("/main.ts") ? main : arg);
    const { env } = serverCommand();
    const started = { command: Deno.execPath(), args: program, env, stderr: "ignore" } as const;
    await checkTools(await V1_SDK.connectStdio(started));
  });
});

/** Checks that a client has each tool of 0.2.0 with its arguments, and needs no others for it. */
async function checkTools(client: PeerClient): Promise<void> {
  const { tools } = await client.listTools();
  for (const [name, { takes, needs }] of Object.entries(await oldTools())) {
    const schema = tools.find((tool) => tool.name === name)?.inputSchema;
    ok(schema, name);
    const taken = Object.keys(schema.properties ?? {});
    deepStrictEqual(takes.filter((key) => !taken.includes(key)), [], name);
    deepStrictEqual((schema.required ?? []).filter((key) => !needs.includes(key)), [], name);
  }
  await client.close();
}

interface OldArguments {
  readonly takes: readonly string[];
  readonly needs: readonly string[];
}

const oldTools = (): Promise<Record<string, OldArguments>> => readOld("tools.json", SECOND);

Deno.test("the tools of 0.1.0 are loaded, and return what they returned", async () => {
  await using folder = await createTempFolder();
  const config = parseConfig(["--port", "0", "--tools", `${OLD}/tools,${OLD}/own_tools`], {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: folder.path,
    MCP_TOKEN: TOKEN,
    MCP_DATA_DIR: `${folder.path}/data`,
    MCP_AUDIT_FILE: "/dev/null",
    MCP_LOG_LEVEL: "error",
  }, 2);
  const app = await createApp(config, { builtInTools: false });
  const { address, close } = await serveHttp(app, config);
  deepStrictEqual(await replay(address, await readOld("calls.json"), folder.path), GAINED);
  await close();
  await app.close();
});

Deno.test("the callers file of the first version with one has the same effect", async () => {
  await using folder = await createTempFolder();
  const file = `${folder.path}/callers.json`;
  await Deno.copyFile(`${OLD}/callers.json`, file);
  await Deno.chmod(file, 0o600);
  await using server = await startServer({
    env: { HOME: folder.path, MCP_CALLERS_FILE: file, MCP_AUDIT_FILE: "/dev/null" },
  });
  deepStrictEqual(await replay(server.url, await readOld("callers_calls.json"), folder.path), []);
});

Deno.test("the edits in the change log make a program that embeds 0.1.0 one for this version", async () => {
  const read = (name: string) => Deno.readTextFile(new URL(name, import.meta.url));
  const edits = await editsSince("0.1.0");
  strictEqual(
    withEdits(await Deno.readTextFile(`${OLD}/embedding.txt`), edits),
    moduleExample(await read("mod.ts")),
  );
});

Deno.test("the settings of 0.1.0 mean what they meant", async () => {
  const { env, config } = await readOld("settings.json");
  deepStrictEqual(lostSince(config, JSON.parse(JSON.stringify(parseConfig([], env, 4)))), []);
});

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { isWholeRun } from "../test_support/tier.ts";
import { callApi } from "./testing/http_caller.ts";
import { bearerOf, type CallerRights, writeCallers } from "./testing/callers_file.ts";
import { connectOverStdio, type McpPeer, type PeerSdk } from "./testing/mcp_peer.ts";
import { serverCommand, type ServerOptions, startServer } from "./testing/server_process.ts";
import { V1_SDK } from "./testing/v1_client.ts";
import { v2Sdk } from "./testing/v2_client.ts";

/** A folder with something inside and outside of what the rights name. */
async function createPlace() {
  const folder = await createTempFolder();
  const at = folder.path;
  for (const name of ["in", "out", "data"]) await Deno.mkdir(`${at}/${name}`);
  await Deno.writeTextFile(`${at}/in/file`, "inside");
  await Deno.writeTextFile(`${at}/out/file`, "outside");
  await Deno.symlink("../out/file", `${at}/in/link`);
  return { at, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** What flags say, what the callers file says instead, and what each allows. */
interface RightsCase {
  readonly flags: readonly string[];
  readonly rights: CallerRights;
  readonly granted: readonly Call[];
  readonly refused: readonly Call[];
}

type Call = readonly [tool: string, args: object];

const ALL = { tools: ["*"], hosts: ["*"], databases: { "*": "rw" }, paths: ["/**"], admin: true };
const query = (text: string, database?: string): Call => [
  "sql-query",
  { batches: [{ database, create: database && true, queries: [text] }] },
];
const onHost = (host: string): Call => [
  "ssh-exec",
  { connections: [{ host, username: "nobody", commands: ["true"] }], timeoutMs: 2_000 },
];

const CASES: Readonly<Record<string, (at: string) => RightsCase>> = {
  "--only": () => ({
    flags: ["--only", "sql-*,read-file"],
    rights: { ...ALL, tools: ["sql-*", "read-file"] },
    granted: [query("SELECT 1"), ["sql-schema", {}], ["read-file", { path: "/etc/hostname" }]],
    refused: [["exec-command", { command: "true" }], ["write-file", { path: "/x", content: "" }]],
  }),
  "--read-only": (at) => ({
    flags: ["--read-only"],
    rights: { ...ALL, readOnly: true },
    granted: [query("SELECT 1"), ["read-file", { path: `${at}/out/file` }], ["job-list", {}]],
    refused: [
      ["exec-command", { command: `touch ${at}/ran` }],
      ["write-file", { path: `${at}/ran`, content: "" }],
      ["edit-file", { path: `${at}/in/file`, edits: [{ old: "in", new: "on" }] }],
      ["job-start", { tool: "exec-command", args: { command: `touch ${at}/ran` } }],
    ],
  }),
  "--paths": (at) => ({
    flags: ["--paths", `${at}/in/**`],
    rights: { ...ALL, paths: [`${at}/in/**`] },
    granted: [["read-file", { path: `${at}/in/file` }]],
    refused: [
      ["read-file", { path: `${at}/in/link` }],
      ["read-file", { path: `${at}/out/file` }],
      ["exec-command", { command: "true", cwd: `${at}/out` }],
    ],
  }),
  "--hosts": () => ({
    flags: ["--hosts", "web-*,10.0.0.*"],
    rights: { ...ALL, hosts: ["web-*", "10.0.0.*"] },
    granted: [onHost("web-1.invalid")],
    refused: [onHost("db-1.invalid")],
  }),
  "--databases": () => ({
    flags: ["--databases", "main=ro,scratch=rw"],
    rights: { ...ALL, databases: { main: "ro", scratch: "rw" } },
    granted: [query("SELECT 1"), query("CREATE TABLE IF NOT EXISTS t (n)", "scratch")],
    refused: [query("SELECT 1", "third")],
  }),
};

/** What a call gives: the text of its answer, and whether the caller lacks the right to it. */
interface Answer {
  readonly isRefused: boolean;
  readonly text: string;
}

async function answersOverHttp(options: ServerOptions, calls: readonly Call[]): Promise<Answer[]> {
  await using server = await startServer(options);
  const answers: Answer[] = [];
  for (const [tool, args] of calls) {
    const { status, body } = await callApi(server.url, tool, args);
    answers.push({ isRefused: status !== 200, text: String(body.detail ?? JSON.stringify(body)) });
  }
  return answers;
}

async function callOver(peer: McpPeer, [tool, args]: Call): Promise<Answer> {
  const { isError = false, content } = await peer.callTool(tool, args);
  const text = content.flatMap((part) => "text" in part ? [part.text] : []).join("\n");
  return { isRefused: isError && text.startsWith("Cannot"), text };
}

const overStdio = (sdk: PeerSdk) => async (options: ServerOptions, calls: readonly Call[]) => {
  await using peer = await connectOverStdio(sdk, options);
  const answers: Answer[] = [];
  for (const call of calls) answers.push(await callOver(peer, call));
  return answers;
};

/** Each way starts a server, calls its tools, and ends it. */
const WAYS = [
  ["HTTP", answersOverHttp],
  ["stdio, 2025-11-25", overStdio(V1_SDK)],
  ["stdio, 2026-07-28", overStdio(v2Sdk("2026-07-28"))],
] as const;

/** What a server refuses to a caller whose file says the same as a case's flags. */
async function refusalsByFile(at: string, rightsOf: Readonly<Record<string, RightsCase>>) {
  const rights = Object.entries(rightsOf).map(([flag, { rights }]) => [flag.slice(2), rights]);
  const callers = await writeCallers(at, Object.fromEntries(rights));
  await using server = await startServer({ args: ["--callers", callers], env: envAt(at) });
  const refusals = Object.entries(rightsOf).map(async ([flag, { refused }]) => {
    const headers = bearerOf(flag.slice(2));
    const details = refused.map(async ([tool, args]) => {
      const { body } = await callApi(server.url, tool, args, { headers });
      strictEqual(body.code, "NOT_ALLOWED", JSON.stringify(body));
      return String(body.detail).replace(`"${flag.slice(2)}"`, '"default"');
    });
    return [flag, await Promise.all(details)] as const;
  });
  return new Map(await Promise.all(refusals));
}

const envAt = (at: string) => ({ MCP_DATA_DIR: `${at}/data`, MCP_TASK_AFTER_MS: "600000" });

Deno.test("each flag grants and refuses as the callers file does, over HTTP and stdio", async (t) => {
  await using place = await createPlace();
  const { at } = place;
  const cases = Object.fromEntries(Object.entries(CASES).map(([flag, at]) => [flag, at(place.at)]));
  const expected = await refusalsByFile(at, cases);
  const env = envAt(at);
  for (const [index, [flag, { flags, granted, refused }]] of Object.entries(cases).entries()) {
    // In a run of every day, each flag over one transport, in turn.
    const ways = WAYS.filter((_, way) => isWholeRun || way === index % WAYS.length);
    for (const [way, answersOf] of ways) {
      await t.step(`${flag} over ${way}`, async () => {
        const answers = await answersOf({ args: flags, env }, [...granted, ...refused]);
        for (const { isRefused, text } of answers.slice(0, granted.length)) {
          strictEqual(isRefused, false, text);
        }
        const refusals = answers.slice(granted.length);
        deepStrictEqual(refusals.map(({ text }) => text), expected.get(flag));
      });
    }
  }
  strictEqual(await Deno.readTextFile(`${at}/in/file`), "inside");
  strictEqual(await Deno.stat(`${at}/ran`).then(() => true, () => false), false);
});

Deno.test("--read-only lets no statement of sql-query write", async () => {
  await using place = await createPlace();
  await Deno.writeTextFile(`${place.at}/data/main.db`, "");
  const env = { MCP_DATA_DIR: `${place.at}/data` };
  await using server = await startServer({ args: ["--read-only"], env });
  const [tool, args] = query("CREATE TABLE t (n)");
  const { body } = await callApi(server.url, tool, args);
  match(JSON.stringify(body), /readonly|read-only/);
});

Deno.test("--only sql-query lists under 2 kB", async () => {
  await using peer = await connectOverStdio(v2Sdk("2026-07-28"), { args: ["--only", "sql-query"] });
  const { tools } = await peer.listTools();
  deepStrictEqual(tools.map(({ name }) => name), ["sql-query"]);
  ok(JSON.stringify(tools).length < 2_000, `${JSON.stringify(tools).length}`);
});

Deno.test("--caller serves a named caller over stdio, with the rights that it has by now", async () => {
  await using place = await createPlace();
  const ci = { tools: ["read-file"], paths: [`${place.at}/in/**`] };
  const callers = await writeCallers(place.at, { ci });
  const args = ["--callers", callers, "--caller", "ci"];
  // A client of this revision asks for the list each time.
  await using peer = await connectOverStdio(V1_SDK, { args });
  const toolNames = async () => (await peer.listTools()).tools.map(({ name }) => name);
  deepStrictEqual(await toolNames(), ["read-file"]);
  const inside: Call = ["read-file", { path: `${place.at}/in/file` }];
  strictEqual((await callOver(peer, inside)).isRefused, false);
  match(
    (await callOver(peer, ["read-file", { path: `${place.at}/out/file` }])).text,
    /^Cannot read ".+": it is not among the paths of the caller "ci"/,
  );
  await writeCallers(place.at, { ci: { ...ci, tools: ["list-files"] } });
  while (!(await toolNames()).includes("list-files")) await pause();
  match(
    (await callOver(peer, inside)).text,
    /^Cannot call "read-file": it is not among the tools of the caller "ci" \(list-files\)$/,
  );
  await writeCallers(place.at, { other: ci });
  while ((await toolNames()).length > 0) await pause();
  match((await callOver(peer, inside)).text, /the tools of the caller "ci" \(none\)$/);
});

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

Deno.test("rights that name nothing, or that contradict each other, end the start with code 2", async (t) => {
  await using place = await createPlace();
  const callers = await writeCallers(place.at, { ci: ALL });
  const cases: [args: string[], message: RegExp][] = [
    [
      ["--only", "sqlquery"],
      /^Cannot use MCP_ONLY "sqlquery": it names no tool; the tools are .*sql-query/,
    ],
    [["--only", "read-*,x-*"], /^Cannot use MCP_ONLY "x-\*": it names no tool/],
    [["--only", ","], /^Cannot use MCP_ONLY ",": it names nothing$/m],
    [["--only", ""], /^Cannot use --only "": it is empty; leave the flag out instead$/m],
    [["--paths", "srv"], /^Cannot use MCP_ONLY_PATHS "srv": it must be an absolute path/],
    [["--hosts", "a b"], /^Cannot use MCP_ONLY_HOSTS "a b": it must be the name or a pattern/],
    [
      ["--databases", "main"],
      /^Cannot use MCP_ONLY_DATABASES "main": it must be a name with "=ro"/,
    ],
    [["--databases", "a=ro,a=rw"], /^Cannot use MCP_ONLY_DATABASES "a=ro,a=rw": it has "a" twice/],
    [["--caller", "ci"], /^Cannot use MCP_CALLER "ci": it takes MCP_CALLERS_FILE/],
    [
      ["--callers", callers, "--caller", "cy"],
      /^Cannot use MCP_CALLER "cy": the callers file has no such caller$/m,
    ],
    [
      ["--callers", callers, "--caller", "ci", "--read-only"],
      /^Cannot use MCP_CALLER "ci" with MCP_READ_ONLY: the callers file says what it may do/,
    ],
  ];
  // In a run of every day, some: each starts a server.
  const some = cases.filter((_, index) => isWholeRun || index % 3 === 0);
  for (const [args, message] of some) {
    await t.step(args.join(" ").replaceAll(place.at, ""), async () => {
      const [code, stderr] = await endOf([...args, "--stdio"]);
      match(stderr, message);
      strictEqual(code, 2);
    });
  }
  await t.step("--caller over HTTP", async () => {
    const [code, stderr] = await endOf(["--callers", callers, "--caller", "ci"]);
    match(stderr, /^Cannot use MCP_CALLER "ci" over HTTP: there the token says who calls$/m);
    strictEqual(code, 2);
  });
});

async function endOf(args: readonly string[]): Promise<[code: number, stderr: string]> {
  const { command, ...started } = serverCommand({ args });
  const { code, stderr } = await new Deno.Command(command, { ...started, stdin: "null" }).output();
  return [code, new TextDecoder().decode(stderr)];
}

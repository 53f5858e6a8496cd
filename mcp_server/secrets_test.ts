import { deepStrictEqual, fail, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { isWholeRun } from "../test_support/tier.ts";
import { CALL_WAYS } from "./testing/call_ways.ts";
import { bearerOf, EVERYTHING } from "./testing/callers_file.ts";
import { toAnswer } from "./testing/http_caller.ts";
import { postMcp } from "./testing/mcp_request.ts";
import { createTestUser, needsUsers } from "./testing/test_user.ts";
import { startJobsServer } from "./testing/jobs_server.ts";
import { writeSecrets } from "./testing/secrets_file.ts";
import { startStdioSession } from "./testing/stdio_session.ts";

/** Characters that JSON, shells and URLs write in other ways. */
const TOKEN = `npm_it's"a\\b@c/0123456789`;
const KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEAAoIB\n";
const SECRETS = { NPM_TOKEN: TOKEN, DEPLOY_KEY: KEY, OTHER: "other-0123456789" };

/** A part of each value that must be nowhere, and is not changed by the ways to quote it. */
const PARTS = ["0123456789", "MIIEvQIBADANBgkqhkiG9w0B"];

/** Writes the value in two pieces, whole, in an error, in JSON and traced by the shell. */
const LEAKS = [
  `printf %s "\${NPM_TOKEN%????}"; sleep 0.2; printf '%s\\n' "\${NPM_TOKEN#"\${NPM_TOKEN%????}"}"`,
  `printf '%s\\n' "$NPM_TOKEN" >&2`,
  `printf '%s' "$DEPLOY_KEY" | sed 's/^/  /'`,
  `python3 -c 'import json, os; print(json.dumps({"key": os.environ["DEPLOY_KEY"]}))'`,
  `set -x; : "$NPM_TOKEN"`,
].join("\n");

const NAMED = { secrets: ["NPM_TOKEN", "DEPLOY_KEY"] };
const CALLS: readonly [tool: string, args: object][] = [
  ["exec-command", { command: LEAKS, ...NAMED }],
  ["exec-command", { commands: [{ command: LEAKS, ...NAMED }, { command: "true" }] }],
  ["bash-script", { script: LEAKS, ...NAMED }],
];
const JSON_TYPE = { "content-type": "application/json" };
/** What a call shows that runs them. */
const SHOWN = /\[NPM_TOKEN\]/;

async function startServers({ callers = {}, env = {}, args = [] as readonly string[] } = {}) {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const file = await writeSecrets(path, SECRETS);
  const server = stack.use(
    await startJobsServer({
      args: ["--log-level", "debug", ...args],
      callers: { ci: { ...EVERYTHING, secrets: ["NPM_*", "DEPLOY_KEY"] }, ...callers },
      env: {
        MCP_SECRETS_FILE: file,
        MCP_AUDIT_FILE: `${path}/audit`,
        MCP_TOKEN: "operator",
        ...env,
      },
    }),
  );
  const ends = stack.move();
  const headers = bearerOf("ci");
  return {
    ...server,
    secrets: path,
    headers,
    call: async (tool: string, args: object, as: HeadersInit = headers) =>
      await toAnswer(
        await fetch(`${server.server.url}/api`, {
          method: "POST",
          headers: { "content-type": "application/json", ...Object(as) },
          body: JSON.stringify({ tool, args }),
        }),
      ),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Throws if one of the values is in a text, in whatever form. */
function ensureHidden(text: string): void {
  for (const part of PARTS) strictEqual(text.includes(part), false, text);
}

/** The files below a folder that contain a value, but for the secrets file itself. */
async function filesWithValues(folder: string): Promise<string[]> {
  const patterns = PARTS.flatMap((part) => ["-e", part]);
  const { stdout } = await new Deno.Command("grep", {
    args: ["-ral", ...patterns, "--exclude=secrets.json", folder],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

Deno.test("a command gets the secrets that its call names, and no way of calling shows a value", async () => {
  await using servers = await startServers();
  const { server: { url, stderr }, headers, folder, secrets, send } = servers;
  await Promise.all(
    Object.entries(CALL_WAYS).map(async ([way, call]) => {
      for (const [tool, args] of isWholeRun ? CALLS : CALLS.slice(0, 1)) {
        const { status, text } = await call(url, { tool, args }, headers);
        ok(status < 300, `${way}: ${status} ${text}`);
        ensureHidden(text);
        if (!/job/.test(way)) match(text, SHOWN, way);
      }
    }),
  );
  const _meta = { progressToken: "p" };
  const params = { name: "exec-command", arguments: { command: LEAKS, ...NAMED }, _meta };
  const message = { method: "tools/call", params };
  const progress = await postMcp(url, message, { headers, revision: "2025-11-25" });
  const events = await progress.text();
  match(events, /notifications\/progress.*\[NPM_TOKEN\]/);
  ensureHidden(events);
  const { body: { jobs = [] } } = await toAnswer(await send("/api/jobs", { headers }));
  ok(Array.isArray(jobs) && jobs.length > 0);
  for (const { id } of jobs) {
    const paths = ["", "/events", "/stdout", "/stderr"];
    for (const path of paths) {
      ensureHidden(await (await send(`/api/jobs/${id}${path}`, { headers })).text());
    }
    const { body: { text } } = await toAnswer(await send(`/api/jobs/${id}/stdout`, { headers }));
    match(String(text), SHOWN);
  }
  ensureHidden(stderr());
  ensureHidden(await Deno.readTextFile(`${secrets}/audit`));
  deepStrictEqual(await filesWithValues(folder), []);
  deepStrictEqual(await filesWithValues(secrets), []);
});

Deno.test("what a command has written is masked in later calls too, whichever tool shows it", async () => {
  await using servers = await startServers();
  const { call, folder } = servers;
  const path = `${folder}/npmrc`;
  await call("exec-command", { command: `printf %s "$NPM_TOKEN" > ${path}`, ...NAMED });
  strictEqual(await Deno.readTextFile(path), TOKEN);
  const calls: readonly [string, object][] = [
    ["exec-command", { command: `cat ${path}` }],
    ["read-file", { path }],
    ["search-files", { path: folder, pattern: "npm_" }],
    ["exec-command", { command: `${TOKEN.replaceAll("'", "")}`, cwd: `/${TOKEN}` }],
    ["read-file", { path: `/${TOKEN}` }],
    ["edit-file", { path, edits: [{ old: "none", new: "x" }] }],
  ];
  for (const [tool, args] of calls) ensureHidden(JSON.stringify((await call(tool, args)).body));
  const { body } = await call("read-file", { path });
  deepStrictEqual(body.content, "[NPM_TOKEN]");
});

Deno.test("a call that goes on as a job, one that is too long and the titles of both show no value", async () => {
  await using servers = await startServers();
  const { server: { url }, headers, folder, send } = servers;
  const flood = "for i in $(seq 4000); do printf '%s\\n' \"$NPM_TOKEN\"; done";
  const calls = [
    { command: `# ${TOKEN}\n${LEAKS}\nsleep 20`, ...NAMED, timeoutMs: 2_500, onTimeout: "job" },
    { command: flood, ...NAMED },
  ];
  const ids = await Promise.all(calls.map(async (args) => {
    const message = { method: "tools/call", params: { name: "exec-command", arguments: args } };
    const text = await (await postMcp(url, message, { headers, revision: "2025-11-25" })).text();
    ensureHidden(text);
    match(text, SHOWN);
    return /"job\\?":\s*(?:\{\\?"id\\?":)?\\?"([0-9a-f-]{36})/.exec(text)?.[1] ?? fail(text);
  }));
  for (const id of ids) {
    for (const path of ["", "/stdout", "/stderr"]) {
      ensureHidden(await (await send(`/api/jobs/${id}${path}`, { headers })).text());
    }
  }
  ensureHidden(await (await send("/api/jobs", { headers })).text());
  await send(`/api/jobs/${ids[0]}/cancel`, { method: "POST", headers });
  deepStrictEqual(await filesWithValues(folder), []);
});

Deno.test("a call that names a secret which its caller may not use runs nothing, and says which it may", async () => {
  await using servers = await startServers({ callers: { none: EVERYTHING } });
  const { call, folder } = servers;
  const marks = `${folder}/ran`;
  const command = `touch ${marks}`;
  const args: readonly [string, (secrets: readonly string[]) => object][] = [
    ["exec-command", (secrets) => ({ command, secrets })],
    ["exec-command", (secrets) => ({ commands: [{ command }, { command, secrets }] })],
    ["bash-script", (secrets) => ({ script: command, secrets })],
    ["ssh-exec", (secrets) => ({ connections: [{ host: "h", commands: [command], secrets }] })],
  ];
  const refused: readonly [string, string, string][] = [
    ["ci", "OTHER", "the caller may use NPM_TOKEN, DEPLOY_KEY"],
    ["ci", "UNKNOWN", "the caller may use NPM_TOKEN, DEPLOY_KEY"],
    ["none", "NPM_TOKEN", "the caller may use none"],
  ];
  for (const [tool, toArgs] of args) {
    for (const [caller, name, state] of refused) {
      const { status, body } = await call(tool, toArgs([name]), bearerOf(caller));
      deepStrictEqual([status, body.code], [403, "NOT_ALLOWED"]);
      strictEqual(body.detail, `Cannot use the secret "${name}": ${state}`);
    }
  }
  strictEqual(await Deno.stat(marks).then(() => true, () => false), false);
  const both = { command, secrets: ["NPM_TOKEN"], env: { NPM_TOKEN: "mine" } };
  const { status, body } = await call("exec-command", both);
  deepStrictEqual([status, body.code], [422, "INVALID_ARGUMENTS"]);
});

Deno.test("a caller can't tell by the mask whether it has guessed the value of another's secret", async () => {
  await using servers = await startServers({ callers: { none: EVERYTHING } });
  const guess = { command: "printf other-0123456789; printf other-0123456789 >&2; exit 1" };
  const wrong = { command: "printf other-9876543210; printf other-9876543210 >&2; exit 1" };
  for (const caller of ["ci", "none"]) {
    const [one, two] = await Promise.all(
      [guess, wrong].map((args) => servers.call("exec-command", args, bearerOf(caller))),
    );
    strictEqual(
      JSON.stringify(one?.body).replaceAll("0123456789", "9876543210"),
      JSON.stringify(two?.body),
    );
    const headers = { ...JSON_TYPE, ...bearerOf(caller), prefer: "respond-async, wait=20" };
    const body = JSON.stringify({ tool: "exec-command", args: guess });
    const { url } = servers.server;
    const job = await fetch(`${url}/api`, { method: "POST", headers, body });
    await job.body?.cancel();
    const kept = await fetch(`${url}${job.headers.get("location")}`, { headers });
    deepStrictEqual((await kept.json()).args, guess);
  }
});

Deno.test("a custom tool may use secrets, and neither its log nor its answer or crash shows one", async () => {
  await using folder = await createTempFolder();
  await Deno.writeTextFile(
    `${folder.path}/leaking.js`,
    `export default ({ mcpServer, toolName, log }) => {
      mcpServer.tool(toolName, "Leaks.", async (extra) => {
        const { NPM_TOKEN } = extra.secrets.env(["NPM_TOKEN"]);
        log.info(NPM_TOKEN, { deep: [NPM_TOKEN] });
        extra.progress({ message: NPM_TOKEN });
        await extra.output({ stream: "stdout", text: "out " + NPM_TOKEN });
        if (extra._meta?.crash) throw new Error(NPM_TOKEN);
        return { content: [{ type: "text", text: NPM_TOKEN }], _meta: { names: extra.secrets.names } };
      });
    };`,
  );
  await using servers = await startServers({ args: ["--tools", folder.path] });
  const { server: { url, logged, stderr }, headers } = servers;
  const events = { accept: "text/event-stream" };
  const call = JSON.stringify({ tool: "leaking", args: {} });
  const init = { method: "POST", body: call, headers: { ...headers, ...events, ...JSON_TYPE } };
  const text = await (await fetch(`${url}/api`, init)).text();
  match(text, /out \[NPM_TOKEN\]/);
  ensureHidden(text);
  const params = { name: "leaking", arguments: {}, _meta: { crash: true } };
  const message = { method: "tools/call", params };
  ensureHidden(await (await postMcp(url, message, { headers, revision: "2025-11-25" })).text());
  await logged(/"message":"\[NPM_TOKEN\]".*"deep":\["\[NPM_TOKEN\]"\]/);
  await logged(/a tool crashed.*Error: \[NPM_TOKEN\]/);
  ensureHidden(stderr());
});

Deno.test(
  ...needsUsers("a command of another user gets the secrets, and can't read their file"),
  async () => {
    await using user = await createTestUser();
    await using servers = await startServers({ env: { MCP_RUN_AS: user.name } });
    await Deno.chmod(servers.secrets, 0o755);
    const command = `id -un; test "\${#NPM_TOKEN}" = ${TOKEN.length} && echo "$NPM_TOKEN"; ` +
      `cat ${servers.secrets}/secrets.json`;
    const { body } = await servers.call("exec-command", { command, ...NAMED, cwd: "/" });
    match(JSON.stringify(body), new RegExp(`"stdout":"${user.name}\\\\n\\[NPM_TOKEN\\]`));
    match(JSON.stringify(body), /Permission denied/);
    ensureHidden(JSON.stringify(body));
  },
);

Deno.test("the operator and stdio may use all secrets, and stdio with a caller those of the caller", async () => {
  await using servers = await startServers();
  const args = {
    command: 'test "$OTHER" = other-0123456789 && echo "<$OTHER>"',
    secrets: ["OTHER"],
  };
  const operator = { authorization: "Bearer operator" };
  const { body } = await servers.call("exec-command", args, operator);
  match(JSON.stringify(body), /"stdout":"<\[OTHER\]>\\n"/);
  const secrets = ["--secrets", `${servers.secrets}/secrets.json`];
  const callers = ["--callers", `${servers.folder}/callers.json`];
  match(await callStdio(secrets, args), /<\[OTHER\]>/);
  match(await callStdio([...secrets, "--only", "exec-command"], args), /<\[OTHER\]>/);
  match(
    await callStdio([...secrets, ...callers, "--caller", "ci"], args),
    /Cannot use the secret \\"OTHER\\": the caller may use NPM_TOKEN, DEPLOY_KEY/,
  );
});

/** Calls `exec-command` over stdio; resolves with the line of the answer. */
async function callStdio(flags: readonly string[], args: object): Promise<string> {
  await using session = startStdioSession({ args: flags });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "exec-command", arguments: args, _meta };
  await session.send({ id: 1, method: "tools/call", params });
  for (;;) {
    const line = await session.nextLine();
    if (line === undefined || line.includes('"id":1')) return line ?? "";
  }
}

Deno.test("a changed secrets file counts for the next call, a broken one changes nothing", async () => {
  await using servers = await startServers();
  const { call, secrets, server } = servers;
  const args = { command: 'printf %s "$NPM_TOKEN" | wc -c', secrets: ["NPM_TOKEN"] };
  const length = async () => {
    const text = JSON.stringify((await call("exec-command", args)).body);
    return Number(/"stdout":"(\d+)/.exec(text)?.[1] ?? text);
  };
  strictEqual(await length(), TOKEN.length);
  const job = { tool: "exec-command", args: { command: 'echo "$NPM_TOKEN"', ...NAMED } };
  const { id } = await (await servers.start(job, servers.headers)).json();
  await (await servers.send(`/api/jobs/${id}/events`, { headers: servers.headers })).text();
  await writeSecrets(secrets, { ...SECRETS, NPM_TOKEN: "short-0123456789" });
  await server.logged(/secrets file read.*"changed":\["NPM_TOKEN"\]/);
  strictEqual(await length(), 16);
  const before = await servers.send(`/api/jobs/${id}/stdout`, { headers: servers.headers });
  strictEqual(await before.text(), "[NPM_TOKEN]\n");
  await Deno.writeTextFile(`${secrets}/secrets.json`, '{"secrets": {"NPM_TOKEN": "0123456789');
  await server.logged(/secrets file can't be used; its last version counts.*it is not JSON/);
  strictEqual(await length(), 16);
  ensureHidden(server.stderr());
});

Deno.test("kill -9 of the server leaves no value on the disk", async () => {
  await using temp = await createTempFolder();
  await using servers = await startServers({ env: { TMPDIR: temp.path } });
  const { start, headers, server, folder, secrets, send } = servers;
  const script = `${LEAKS}\nset +x\necho written\nsleep 60`;
  const { id } = await (await start({ tool: "bash-script", args: { script, ...NAMED } }, headers))
    .json();
  for (let text = ""; !text.includes("written");) {
    text = await (await send(`/api/jobs/${id}/stdout`, { headers })).text();
  }
  await server.stop("SIGKILL");
  const scripts = [...Deno.readDirSync(temp.path)];
  strictEqual(scripts.length, 1);
  for (const place of [temp.path, folder, secrets]) {
    deepStrictEqual(await filesWithValues(place), []);
  }
});

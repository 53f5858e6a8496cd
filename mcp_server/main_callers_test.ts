import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { bearerOf, callersText, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { startJobsServer } from "./testing/jobs_server.ts";
import { serverCommand, type ServerProcess, startServer } from "./testing/server_process.ts";
import { writeSecrets } from "./testing/secrets_file.ts";

const HEADERS = { "content-type": "application/json" };

async function toolsOf({ url }: ServerProcess, headers: HeadersInit): Promise<unknown> {
  const { status, body } = await toAnswer(await fetch(`${url}/api/tools`, { headers }));
  const { tools } = body;
  return Array.isArray(tools) ? tools.map(({ name }) => name) : status;
}

Deno.test("with a callers file each caller has its tools, MCP_TOKEN all, and nobody else any", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tools: ["bash-*"] }, idle: {} });
  await using server = await startServer({
    args: ["--callers", path],
    env: { MCP_TOKEN: "the-token" },
  });
  const all = await toolsOf(server, { authorization: "Bearer the-token" });
  ok(Array.isArray(all) && all.length > 10);
  deepStrictEqual(await toolsOf(server, bearerOf("ci")), ["bash-script"]);
  deepStrictEqual(await toolsOf(server, bearerOf("idle")), []);
  for (const headers of [{}, bearerOf("eve")]) {
    strictEqual(await toolsOf(server, headers), 401);
    const response = await fetch(`${server.url}/mcp`, { method: "POST", headers, body: "{}" });
    deepStrictEqual([response.status, response.headers.get("www-authenticate")], [401, "Bearer"]);
    await response.body?.cancel();
  }
  const openApi = await (await fetch(`${server.url}/openapi.json`, { headers: bearerOf("ci") }))
    .text();
  deepStrictEqual([openApi.includes("bash-script-args"), openApi.includes("read-file")], [
    true,
    false,
  ]);
  const headers = { ...HEADERS, ...bearerOf("ci") };
  const { status, body, ...answer } = await callApi(server.url, "read-file", { path: "/" }, {
    headers,
  });
  deepStrictEqual([status, body.code, answer.headers.get("www-authenticate")], [
    403,
    "NOT_ALLOWED",
    null,
  ]);
  strictEqual(
    body.detail,
    'Cannot call "read-file": it is not among the tools of the caller "ci" (bash-*)',
  );
  const unknown = await callApi(server.url, "nope", {}, { headers });
  deepStrictEqual([unknown.status, unknown.body.detail], [
    404,
    'Cannot call "nope": there is no such tool; the tools are bash-script',
  ]);
});

Deno.test("a server with a callers file alone is never open, and may listen on any address", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tools: ["echo"] } });
  await using server = await startServer({
    args: ["--callers", path, "--host", "127.0.0.1", "--allowed-hosts", "tools.example"],
  });
  strictEqual(await toolsOf(server, {}), 401);
  strictEqual(server.stderr().includes("MCP_TOKEN is not set"), false);
});

Deno.test("main rejects a callers file that it can't use, and --check does too", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tolls: ["echo"] } });
  const message = `Cannot use MCP_CALLERS_FILE "${path}": the caller "ci": ` +
    'it has an unknown key "tolls"; the keys are ';
  for (const flags of [[], ["--check"], ["--stdio"]]) {
    const { code, stderr } = await run(["--callers", path, ...flags]);
    deepStrictEqual([code, stderr.includes(message)], [2, true], stderr);
  }
});

Deno.test("a caller without its token any more loses access, its event streams too", async () => {
  await using jobs = await startJobsServer({
    args: ["--log-level", "info"],
    callers: { first: EVERYTHING, second: EVERYTHING },
  });
  const call = { tool: "bash-script", args: { script: "echo begun; sleep 60" } };
  const streams = await Promise.all(["first", "second"].map(async (name) => {
    const { id } = await (await jobs.start(call, bearerOf(name))).json();
    const { body } = await jobs.send(`/api/jobs/${id}/events`, { headers: bearerOf(name) });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; !text.includes("begun");) text += (await reader.read()).value ?? "";
    return { id, reader };
  }));
  const [first, second] = streams;
  const path = `${jobs.folder}/callers.json`;
  await Deno.writeTextFile(path, '{"callers": {');
  await jobs.server.logged(/callers file can't be used.*it is not JSON/);
  strictEqual((await jobs.send("/api/tools", { headers: bearerOf("first") })).status, 200);
  await writeCallers(jobs.folder, { second: EVERYTHING });
  await jobs.server.logged(/callers file read.*"removed":\["first"\]/);
  strictEqual((await jobs.send("/api/tools", { headers: bearerOf("first") })).status, 401);
  while (!(await first!.reader.read()).done);
  const still = `/api/jobs/${second!.id}`;
  const { state } = await (await jobs.send(still, { headers: bearerOf("second") })).json();
  strictEqual(state, "running");
  await jobs.send(`${still}/cancel`, { method: "POST", headers: bearerOf("second") });
  let rest = "";
  for (let part = await second!.reader.read(); !part.done; part = await second!.reader.read()) {
    rest += part.value;
  }
  match(rest, /"state":"cancelled"/);
});

Deno.test("--new-token prints a token once, and a line with which it is accepted", async () => {
  const { code, stdout } = await run(["--new-token", "ci"]);
  strictEqual(code, 0);
  const [token = "", line = "", ...rest] = stdout.trimEnd().split("\n");
  strictEqual(rest.length, 0);
  await using folder = await createTempFolder();
  const path = `${folder.path}/callers.json`;
  const text = `{"callers": {\n  ${line.replace("[]", '["read-file"]')}\n}}`;
  await Deno.writeTextFile(path, text, { mode: 0o600 });
  await using server = await startServer({ args: ["--callers", path] });
  deepStrictEqual(await toolsOf(server, { authorization: `Bearer ${token}` }), ["read-file"]);
  const bad = await run(["--new-token", "default"]);
  deepStrictEqual([bad.code, bad.stderr.trim()], [
    2,
    'Cannot create a token: the name "default" is the server\'s own',
  ]);
});

Deno.test("no token and no digest of the callers file is in a log line or with a child", async () => {
  await using folder = await createTempFolder();
  const path = await writeCallers(folder.path, { ci: { tools: ["bash-script"] } });
  await using server = await startServer({ env: { MCP_CALLERS_FILE: path } });
  const headers = { ...HEADERS, ...bearerOf("ci") };
  const { body } = await callApi(server.url, "bash-script", { script: "env" }, { headers });
  await server.logged(/"audit":"end".*"tool":"bash-script","caller":"ci"/);
  const digest = JSON.parse(callersText({ ci: {} })).callers.ci.tokenSha256;
  for (const secret of [digest, bearerOf("ci").authorization.slice(7), path]) {
    strictEqual(String(body.stdout).includes(secret), false);
    if (secret !== path) strictEqual(server.stderr().includes(secret), false);
  }
});

Deno.test("a caller is bound by its limits, as call and as job, and the refusal says which", async () => {
  await using jobs = await startJobsServer({
    callers: { ci: { tools: ["*"], maxCalls: 1, maxJobs: 1, maxTimeoutMs: 1_000 } },
  });
  const { url } = jobs.server;
  const headers = { ...HEADERS, ...bearerOf("ci") };
  const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
    [status, body.code, body.detail] as const;

  const job = { tool: "bash-script", args: { script: "read line" }, stdin: true };
  const { id } = await (await jobs.start(job, bearerOf("ci"))).json();
  const MOST_JOBS = 'Cannot start the job: 1 jobs of the caller "ci" are live (maxJobs); ';
  const again = await toAnswer(await jobs.start(job, bearerOf("ci")));
  deepStrictEqual(codeOf(again), [429, "BUSY", `${MOST_JOBS}cancel one, or try again later`]);
  const byTool = await callApi(url, "job-start", job, { headers });
  deepStrictEqual(codeOf(byTool), [429, "BUSY", `${MOST_JOBS}cancel one, or try again later`]);

  const waiting = untilAccepted(() => callApi(url, "job-wait", { id, seconds: 30 }, { headers }));
  await untilBusy(() => callApi(url, "echo", { text: "" }, { headers }));
  const busy = codeOf(await callApi(url, "echo", { text: "" }, { headers }));
  deepStrictEqual(busy, [
    429,
    "BUSY",
    'Cannot start the call: 1 calls of the caller "ci" are running (maxCalls); try again in a moment',
  ]);
  await jobs.send(`/api/jobs/${id}/cancel`, { method: "POST", headers: bearerOf("ci") });
  strictEqual((await waiting).status, 200);

  const TOO_LONG = 'timeoutMs: must be at most 1000 for the caller "ci" (maxTimeoutMs)';
  const wish = { commands: [{ command: "true" }], timeoutMs: 1_001 };
  const long = codeOf(await callApi(url, "exec-command", wish, { headers }));
  deepStrictEqual(long, [422, "INVALID_ARGUMENTS", `Cannot call "exec-command": ${TOO_LONG}`]);
  const started = await toAnswer(
    await jobs.start({ tool: "exec-command", args: wish }, bearerOf("ci")),
  );
  deepStrictEqual(codeOf(started), long);

  const sleep = { commands: [{ command: "sleep 20" }] };
  const { body } = await callApi(url, "exec-command", sleep, { headers });
  match(JSON.stringify(body), /"timedOut":true/);
  const inJob = await jobs.start({ tool: "exec-command", args: sleep }, {
    ...bearerOf("ci"),
    prefer: "respond-async, wait=15",
  });
  match(await inJob.text(), /"timedOut":true/);
});

/** Waits until the only call that a caller may have has begun. */
async function untilBusy(attempt: () => Promise<{ status: number }>): Promise<void> {
  const latest = performance.now() + 30_000;
  while ((await attempt()).status !== 429) ok(performance.now() < latest, "it is never busy");
}

/** Calls again while another call of the caller is running. */
async function untilAccepted<T extends { status: number }>(attempt: () => Promise<T>): Promise<T> {
  const latest = performance.now() + 30_000;
  for (;;) {
    const answer = await attempt();
    if (answer.status !== 429) return answer;
    ok(performance.now() < latest, "it is always busy");
  }
}

async function run(args: readonly string[]) {
  const { command, ...started } = serverCommand({ args });
  const output = await new Deno.Command(command, { ...started, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}

Deno.test("main does not start with a secrets file that it can't use, and --check says so too", async () => {
  await using folder = await createTempFolder();
  const path = await writeSecrets(folder.path, { NPM_TOKEN: "short" });
  const cases: readonly [() => Promise<unknown>, string][] = [
    [() => Promise.resolve(), 'the secret "NPM_TOKEN" must have at least 8 characters'],
    [() => Deno.writeTextFile(path, "{"), "it is not JSON"],
    [() => Deno.chmod(path, 0o644), "others can access it, its mode is 0644; chmod 600 it"],
    [() => Deno.remove(path), "ENOENT"],
  ];
  for (const [at, [prepare, reason]] of cases.entries()) {
    await prepare();
    for (const flags of at === 0 ? [[], ["--check"], ["--stdio"]] : [["--check"]]) {
      const { command, ...started } = serverCommand({ args: ["--secrets", path, ...flags] });
      const { code, stderr } = await new Deno.Command(command, { ...started, stdin: "null" })
        .output();
      const text = new TextDecoder().decode(stderr);
      strictEqual(code, 2, text);
      ok(text.includes(`Cannot use MCP_SECRETS_FILE "${path}": ${reason}`), text);
    }
  }
});

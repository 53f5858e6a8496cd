import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { callApi, postApi, rawStatus, toAnswer } from "../testing/http_caller.ts";
import { startServer } from "../testing/server_process.ts";

const TOKEN = "test-token-0123456789";
const BEARER = { authorization: `Bearer ${TOKEN}` };
const TOOLS = new URL("../testdata/tools", import.meta.url).pathname;

const server = await startServer({
  args: ["--tools", TOOLS, "--max-body-bytes", "4096"],
  env: { MCP_TOKEN: `${TOKEN},second-token`, MCP_ALLOWED_ORIGINS: "https://app.example" },
});
const { url } = server;
addEventListener("unload", () => server.process.kill("SIGKILL"));

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  postApi(url, body, { headers: { ...BEARER, ...headers } });
const call = (tool: string, args: object) => callApi(url, tool, args, { headers: BEARER });
const get = async (path: string, init: RequestInit = {}) =>
  await toAnswer(await fetch(url + path, { headers: BEARER, ...init }));

Deno.test("POST /api answers 200 with exactly the tool's output", async () => {
  const { status, headers, body } = await call("bash-script", { script: "echo out; echo err >&2" });
  strictEqual(status, 200);
  strictEqual(headers.get("content-type"), "application/json");
  deepStrictEqual(body, { stdout: "out\n", stderr: "err\n", exitCode: 0, timedOut: false });
});

Deno.test("POST /api does not treat a failing command as a failure of the call", async () => {
  const { status, body } = await call("exec-command", {
    commands: [{ command: "exit 7" }, { command: "echo on" }],
  });
  strictEqual(status, 200);
  deepStrictEqual(body, {
    results: [
      { stdout: "", stderr: "", exitCode: 7, timedOut: false },
      { stdout: "on\n", stderr: "", exitCode: 0, timedOut: false },
    ],
  });
});

Deno.test("POST /api accepts both tokens while one replaces the other", async () => {
  for (const token of [TOKEN, "second-token"]) {
    const headers = { authorization: `Bearer ${token}` };
    strictEqual((await callApi(url, "echo", { text: "x" }, { headers })).status, 200);
  }
});

Deno.test("POST /api returns content if a tool has no structured output", async () => {
  const { status, body } = await call("plain", {});
  strictEqual(status, 200);
  deepStrictEqual(body, { content: [{ type: "text", text: "only text" }] });
});

const DEEP = "[".repeat(100_000) + "]".repeat(100_000);
const BAD_BODIES: readonly [string, BodyInit, number, string][] = [
  ["no JSON", "{", 400, "MALFORMED_JSON"],
  ["nothing", "", 400, "MALFORMED_JSON"],
  ["an array", "[]", 400, "BAD_REQUEST"],
  ["null", "null", 400, "BAD_REQUEST"],
  ["no tool", '{"args":{}}', 400, "BAD_REQUEST"],
  ["a tool that is not a string", '{"tool":1}', 400, "BAD_REQUEST"],
  ["arguments that are not an object", '{"tool":"echo","args":[]}', 400, "BAD_REQUEST"],
  ["an unknown key", '{"tool":"echo","arguments":{}}', 400, "BAD_REQUEST"],
  ["__proto__ as a key", '{"tool":"echo","__proto__":{"args":{}}}', 400, "BAD_REQUEST"],
  ["an unknown tool", '{"tool":"nope"}', 404, "UNKNOWN_TOOL"],
  ["a tool named __proto__", '{"tool":"__proto__"}', 404, "UNKNOWN_TOOL"],
  ["a tool named constructor", '{"tool":"constructor"}', 404, "UNKNOWN_TOOL"],
  ["a tool named toString", '{"tool":"toString"}', 404, "UNKNOWN_TOOL"],
  ["a wrong type", '{"tool":"echo","args":{"text":1}}', 422, "INVALID_ARGUMENTS"],
  ["a missing argument", '{"tool":"echo","args":{}}', 422, "INVALID_ARGUMENTS"],
  ["an unknown argument", '{"tool":"echo","args":{"text":"","txt":""}}', 422, "INVALID_ARGUMENTS"],
  [
    "__proto__ in arguments",
    '{"tool":"echo","args":{"text":"","__proto__":{}}}',
    422,
    "INVALID_ARGUMENTS",
  ],
  [
    "NUL in a command",
    '{"tool":"exec-command","args":{"commands":[{"command":"a\\u0000b"}]}}',
    422,
    "INVALID_ARGUMENTS",
  ],
  [
    "NUL in a variable",
    '{"tool":"exec-command","args":{"commands":[{"command":"a","env":{"A":"\\u0000"}}]}}',
    422,
    "INVALID_ARGUMENTS",
  ],
  [
    "= in a variable's name",
    '{"tool":"exec-command","args":{"commands":[{"command":"a","env":{"A=B":""}}]}}',
    422,
    "INVALID_ARGUMENTS",
  ],
  [
    "a time-out of 0",
    '{"tool":"bash-script","args":{"script":"","timeoutMs":0}}',
    422,
    "INVALID_ARGUMENTS",
  ],
  [
    "NUL in a folder",
    '{"tool":"bash-script","args":{"script":"","cwd":"/\\u0000"}}',
    422,
    "INVALID_ARGUMENTS",
  ],
  ["a crash of the tool", '{"tool":"crash"}', 500, "TOOL_CRASHED"],
  ["a refusal of the tool", '{"tool":"refuse"}', 422, "LOCKED"],
  ["a failure reported as a result", '{"tool":"fail"}', 422, "TOOL_FAILED"],
];

for (const [what, body, status, code] of BAD_BODIES) {
  Deno.test(`POST /api rejects ${what} with ${status} ${code}`, async () => {
    const answer = await post(body);
    deepStrictEqual([answer.status, answer.body.code], [status, code]);
    strictEqual(answer.headers.get("content-type"), "application/problem+json");
    deepStrictEqual(answer.body.status, status);
    match(String(answer.body.title), /^[A-Z]/);
    match(String(answer.body.detail), /\w/);
  });
}

Deno.test("POST /api names each wrong argument with path and message", async () => {
  const { body } = await call("exec-command", {
    commands: [{ command: "a" }, { command: 1, x: 2 }],
  });
  const issues = body.issues as { path: unknown[]; message: string }[];
  deepStrictEqual(issues.map(({ path }) => path), [["commands", 1, "command"], ["commands", 1]]);
  match(issues[1]!.message, /"x"/);
});

Deno.test("POST /api reveals nothing about the server if a tool crashes", async () => {
  const { body } = await call("crash", {});
  strictEqual(/private|\.ts|stack/i.test(JSON.stringify(body)), false);
  await server.logged(/private-detail/);
});

Deno.test("POST /api survives JSON that is 100,000 levels deep", async () => {
  await using roomy = await startServer();
  for (const body of [DEEP, `{"tool":"read-file","args":{"path":${DEEP}}}`]) {
    const answer = await postApi(roomy.url, body);
    strictEqual(answer.status === 400 || answer.status === 422, true, String(answer.status));
  }
  const mcp = await fetch(`${roomy.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body:
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read-file","arguments":{"path":${DEEP}}}}`,
  });
  strictEqual(mcp.status < 500, true, await mcp.text());
  strictEqual((await toAnswer(await fetch(`${roomy.url}/healthz`))).body.text, "ok");
});

Deno.test("POST /api counts the bytes of a body, with or without Content-Length, up to the limit", async () => {
  const frame = '{"tool":"echo","args":{"text":""}}'.length;
  const fits = JSON.stringify({ tool: "echo", args: { text: "x".repeat(4_096 - frame) } });
  const stream = (text: string) => new Blob([text]).stream();
  strictEqual((await post(fits)).status, 200);
  strictEqual((await post(stream(fits))).status, 200);
  strictEqual((await post(`${fits} `)).status, 413);
  strictEqual((await post(stream(`${fits} `))).status, 413);
});

Deno.test("POST /api rejects other media types with 415", async () => {
  for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/jsonx"]) {
    strictEqual((await post('{"tool":"echo"}', { "content-type": type })).status, 415, type);
  }
});

Deno.test("GET /api/tools lists every tool with its JSON Schemas", async () => {
  const { body } = await get("/api/tools");
  const tools = body.tools as { name: string; inputSchema: object; outputSchema?: object }[];
  const names = tools.map(({ name }) => name);
  for (const name of ["bash-script", "exec-command", "read-file", "write-file", "echo"]) {
    strictEqual(names.includes(name), true, name);
  }
  strictEqual(tools.every(({ inputSchema }) => "type" in inputSchema), true);
});

Deno.test("GET /openapi.json describes each tool's call with the schemas that check it", async () => {
  const { body } = await get("/openapi.json");
  strictEqual(body.openapi, "3.1.1");
  const text = JSON.stringify(body);
  const { tools } = (await get("/api/tools")).body as {
    tools: { name: string; inputSchema: object }[];
  };
  for (const { name, inputSchema } of tools) {
    strictEqual(text.includes(`"const":"${name}"`), true, name);
    strictEqual(text.includes(JSON.stringify(inputSchema)), true, name);
  }
});

Deno.test("Accept: text/event-stream streams output while the command runs, then the result", async () => {
  const folder = await Deno.makeTempDir();
  const fifo = `${folder}/go`;
  await new Deno.Command("mkfifo", { args: [fifo] }).output();
  const script = `echo first; read line < ${fifo}; echo "$line"; echo bad >&2`;
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { ...BEARER, "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ tool: "bash-script", args: { script } }),
  });
  let text = "";
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text === 'event: stdout\ndata: {"text":"first\\n"}\n\n') {
      await Deno.writeTextFile(fifo, "second\n");
    }
  }
  await Deno.remove(folder, { recursive: true });
  const events = text.trimEnd().split("\n\n").map((event) => event.split("\n"));
  const names = events.map(([event]) => event);
  // What is written to both streams at once may arrive in any order.
  deepStrictEqual([names[0], names.slice(1, -1).toSorted(), names.at(-1)], [
    "event: stdout",
    ["event: stderr", "event: stdout"],
    "event: result",
  ]);
  deepStrictEqual(JSON.parse(events[3]![1]!.slice("data: ".length)), {
    stdout: "first\nsecond\n",
    stderr: "bad\n",
    exitCode: 0,
    timedOut: false,
  });
});

Deno.test("a call that is rejected at once has its own status, event stream or not", async () => {
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { ...BEARER, "content-type": "application/json", accept: "text/event-stream" },
    body: '{"tool":"nope"}',
  });
  deepStrictEqual([response.status, (await response.json()).code], [404, "UNKNOWN_TOOL"]);
});

Deno.test("an event stream that has begun ends with the problem of its call", async () => {
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { ...BEARER, "content-type": "application/json", accept: "text/event-stream" },
    body: '{"tool":"refuse-late"}',
  });
  match(await response.text(), /^event: error\ndata: \{"status":422,.*"code":"LOCKED"\}\n\n$/);
});

Deno.test("secrets are redacted in a failure that a tool reports as a result", async () => {
  const { body } = await call("leak", {});
  strictEqual(JSON.stringify(body).includes(TOKEN), false);
  const answer = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...BEARER,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"leak","arguments":{}}}',
  });
  const text = await answer.text();
  match(text, /\[redacted\]/);
  strictEqual(text.includes(TOKEN), false);
});

Deno.test("a tool that returns no result has crashed", async () => {
  strictEqual((await call("no-result", {})).status, 500);
});

Deno.test("the server's token is in no log line, and each call is audited with its name", async () => {
  await server.logged(
    /"audit":"end".*"transport":"http","tool":"bash-script","caller":"default"/,
  );
  strictEqual(server.stderr().includes(TOKEN), false);
});

Deno.test("a body of wrong elements is answered with 100 issues and the number of the others", async () => {
  const count = 300;
  const env = Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));
  const args = { commands: [{ command: "true", env }] };
  const response = await fetch(`${url}/api`, {
    method: "POST",
    headers: { ...BEARER, "content-type": "application/json" },
    body: JSON.stringify({ tool: "exec-command", args }),
  });
  const text = await response.text();
  const { code, detail, issues, moreIssues } = JSON.parse(text);
  deepStrictEqual([response.status, code], [422, "INVALID_ARGUMENTS"]);
  deepStrictEqual([issues.length, moreIssues], [100, count - 100]);
  strictEqual(detail.endsWith(`; and ${count - 5} more`), true);
  strictEqual(text.length < 20_000, true);
});

Deno.test("a path of 1 MB is refused, and the server goes on", async () => {
  const path = `/api/jobs/${"x".repeat(1024 * 1024)}`;
  const line = await rawStatus(
    url,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  ).catch(() => "");
  match(line, /^$| 4(00|04|14|31) /);
  strictEqual((await get("/api/tools")).status, 200);
});

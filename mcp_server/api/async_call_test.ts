import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { bearerOf, EVERYTHING } from "../testing/callers_file.ts";
import { callApi, toAnswer } from "../testing/http_caller.ts";
import { startJobsServer } from "../testing/jobs_server.ts";
import { startServer } from "../testing/server_process.ts";

const jobs = await startJobsServer({ callers: { first: EVERYTHING, second: EVERYTHING } });
addEventListener("unload", () => jobs.server.process.kill("SIGKILL"));

const [FIRST, SECOND] = [bearerOf("first"), bearerOf("second")];
const headers = FIRST;

const start = async (call: object, more: Record<string, string> = {}) =>
  await toAnswer(await jobs.start(call, { ...FIRST, ...more }));
const script = (text: string, stdin = false) => ({
  tool: "bash-script",
  args: { script: text },
  ...(stdin ? { stdin } : {}),
});
const get = async (path: string, init: RequestInit = {}) =>
  await toAnswer(await jobs.send(path, { headers, ...init }));
const post = async (path: string, body?: string) => await get(path, { method: "POST", body });

/** Lets a job end that waits for a line of input, and resolves with its end. */
async function release(path: string): Promise<Record<string, unknown>> {
  await get(`${path}?wait=10`, { headers: { ...headers, "if-none-match": '"queued-0-0"' } });
  strictEqual((await post(`${path}/stdin`, "go\n")).status, 204);
  return (await get(`${path}?wait=10`, {
    headers: { ...headers, "if-none-match": '"running-0-0"' },
  })).body;
}

Deno.test("POST /api with Prefer: respond-async answers 202 with the job, before it ends", async () => {
  const answer = await start(script('read line; echo "got $line"', true));
  strictEqual(answer.status, 202);
  const { id, tool, state, createdAt } = answer.body;
  deepStrictEqual([tool, state], ["bash-script", "queued"]);
  strictEqual(new Date(String(createdAt)).toISOString(), createdAt);
  const path = answer.headers.get("location") ?? "";
  strictEqual(path, `/api/jobs/${id}`);
  strictEqual(answer.headers.get("preference-applied"), "respond-async");
  match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  const { state: last, result } = await release(path);
  strictEqual(last, "completed");
  deepStrictEqual(result, { stdout: "got go\n", stderr: "", exitCode: 0, timedOut: false });
});

Deno.test("wait=N answers what the plain call answers if the job ends in time", async () => {
  const prefer = { prefer: "respond-async, wait=30" };
  const done = await start(script("echo hello"), prefer);
  strictEqual(done.status, 200);
  deepStrictEqual(done.body, { stdout: "hello\n", stderr: "", exitCode: 0, timedOut: false });
  strictEqual(done.headers.get("preference-applied"), "respond-async, wait=30");
  const path = done.headers.get("location") ?? "";
  deepStrictEqual((await get(path)).body.result, done.body);
  const refused = await start({ tool: "refuse" }, prefer);
  const plain = await get("/api", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: '{"tool":"refuse"}',
  });
  deepStrictEqual([refused.status, refused.body], [plain.status, plain.body]);
  strictEqual(refused.headers.get("content-type"), "application/problem+json");
  match(refused.headers.get("location") ?? "", /^\/api\/jobs\//);
});

Deno.test("wait=N answers 202 when the time is over, and says how long it was at most", async () => {
  const waiting = script("read line", true);
  const short = await start(waiting, { prefer: 'respond-async, wait="1"' });
  deepStrictEqual(
    [short.status, short.headers.get("preference-applied")],
    [202, "respond-async, wait=1"],
  );
  strictEqual(short.body.state, "running");
  await release(short.headers.get("location") ?? "");
  const long = await start(script("true"), { prefer: "respond-async, wait=3600" });
  strictEqual(long.headers.get("preference-applied"), "respond-async, wait=60");
});

const REFUSED: readonly [what: string, call: object, status: number, code: string][] = [
  ["an unknown tool", { tool: "nope" }, 404, "UNKNOWN_TOOL"],
  ["wrong arguments", { tool: "echo", args: { text: 1 } }, 422, "INVALID_ARGUMENTS"],
  ["stdin that is not a boolean", { tool: "echo", stdin: "yes" }, 400, "BAD_REQUEST"],
  ["an unknown key", { tool: "echo", priority: "call" }, 400, "BAD_REQUEST"],
];

for (const [what, call, status, code] of REFUSED) {
  Deno.test(`a start with ${what} is rejected at once, and creates no job`, async () => {
    const count = async () => ((await get("/api/jobs?limit=1000")).body.jobs as unknown[]).length;
    const before = await count();
    const answer = await start(call);
    deepStrictEqual([answer.status, answer.body.code], [status, code]);
    strictEqual(answer.headers.get("location"), null);
    strictEqual(await count(), before);
  });
}

Deno.test("wrong arguments of a job are named with path and message, as those of a call", async () => {
  const { body } = await start({ tool: "exec-command", args: { commands: [{ command: 1 }] } });
  const [issue] = body.issues as { path: unknown[] }[];
  deepStrictEqual(issue?.path, ["commands", 0, "command"]);
});

Deno.test("stdin and Idempotency-Key need respond-async", async () => {
  const plain = { prefer: "wait=1" };
  for (
    const answer of [
      await start(script("true", true), plain),
      await start(script("true"), { ...plain, "idempotency-key": "a" }),
    ]
  ) {
    deepStrictEqual([answer.status, answer.body.code], [400, "BAD_REQUEST"]);
    match(String(answer.body.detail), /respond-async/);
  }
});

Deno.test("the same Idempotency-Key and body is the same job: 202 while it lives, then 200", async () => {
  const key = { "idempotency-key": "build 7" };
  const call = script("read line; echo once", true);
  const first = await start(call, key);
  const again = await start({ ...call, args: { ...call.args } }, key);
  deepStrictEqual([first.status, again.status, again.body.id], [202, 202, first.body.id]);
  const { result } = await release(first.headers.get("location") ?? "");
  const last = await start(call, key);
  deepStrictEqual([last.status, last.body], [200, result]);
  strictEqual(last.headers.get("location"), first.headers.get("location"));
});

Deno.test("an Idempotency-Key with another body is rejected; another caller has its own keys", async () => {
  const key = { "idempotency-key": "deploy" };
  const first = await start(script("echo a"), key);
  for (const other of [script("echo b"), script("echo a", true), { tool: "plain" }]) {
    const { status, body } = await start(other, key);
    deepStrictEqual([status, body.code], [422, "IDEMPOTENCY_KEY_REUSED"]);
  }
  const foreign = await start(script("echo b"), { ...SECOND, ...key });
  strictEqual(foreign.status, 202);
  ok(foreign.body.id !== first.body.id);
});

Deno.test("many starts with one key at once start one job", async () => {
  const key = { "idempotency-key": crypto.randomUUID() };
  const call = script("echo x", false);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => start(call, key)),
  );
  strictEqual(new Set(answers.map((answer) => answer.headers.get("location"))).size, 1);
});

Deno.test("an Idempotency-Key has 1 to 255 characters, and 1 MB of it does no harm", async () => {
  const send = async (key: string) => await start(script("true"), { "idempotency-key": key });
  strictEqual((await send("k".repeat(255))).status, 202);
  for (const key of ["", "k".repeat(256), "k".repeat(10_000)]) {
    const { status, body } = await send(key);
    deepStrictEqual([status, body.code], [400, "BAD_REQUEST"], `${key.length}`);
    match(String(body.detail), new RegExp(`has ${key.length} characters`));
  }
  const large = await send("k".repeat(1024 * 1024)).then(({ status }) => status, () => "closed");
  ok(large === 400 || large === 431 || large === "closed", String(large));
  strictEqual((await send("after")).status, 202);
});

Deno.test("a client that disconnects, waiting or not, does not end its job", async () => {
  const folder = await Deno.makeTempDir();
  const call = script(`read line; echo "$line" > ${folder}/out # ${"x".repeat(2_000)}`, true);
  const key = { "idempotency-key": crypto.randomUUID() };
  const gone = new AbortController();
  const waiting = jobs.send("/api", {
    method: "POST",
    headers: {
      ...headers,
      ...key,
      "content-type": "application/json",
      prefer: "respond-async, wait=60",
    },
    body: JSON.stringify(call),
    signal: gone.signal,
  }).catch(() => "gone");
  const job = (await start(call, { ...key, prefer: "respond-async, wait=0" })).body;
  gone.abort();
  strictEqual(await waiting, "gone");
  const last = await release(`/api/jobs/${job.id}`);
  strictEqual(last.state, "completed");
  strictEqual(await Deno.readTextFile(`${folder}/out`), "go\n");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a start is 429 with Retry-After while as many jobs live as are kept", async () => {
  await using small = await startJobsServer({ args: ["--max-jobs", "1"] });
  const { id } = await small.sh("read line", { stdin: true });
  const busy = await toAnswer(await small.start({ tool: "plain" }));
  deepStrictEqual([busy.status, busy.body.code], [429, "BUSY"]);
  match(busy.headers.get("retry-after") ?? "", /^\d+$/);
  await small.send(`/api/jobs/${id}/cancel`, { method: "POST" });
  await small.ended(id);
  strictEqual((await small.start({ tool: "plain" })).status, 202);
});

Deno.test("a server that can't keep jobs says why, and answers calls", async () => {
  await using server = await startServer({
    args: ["--log-level", "error"],
    env: { MCP_DATA_DIR: "", XDG_STATE_HOME: "/dev/null", MCP_AUDIT_FILE: "/dev/null" },
  });
  const call = async (more: Record<string, string>) =>
    await callApi(server.url, "bash-script", { script: "echo on" }, { headers: more });
  const refused = await call({ prefer: "respond-async" });
  deepStrictEqual([refused.status, refused.body.code], [503, "JOBS_UNAVAILABLE"]);
  match(String(refused.body.detail), /\/dev\/null/);
  strictEqual((await toAnswer(await fetch(`${server.url}/api/jobs`))).status, 503);
  strictEqual((await call({})).body.stdout, "on\n");
});

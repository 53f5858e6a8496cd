import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Job } from "../tool/job.ts";
import { bearerOf, EVERYTHING } from "../testing/callers_file.ts";
import { type Answer, toAnswer } from "../testing/http_caller.ts";
import { startJobsServer } from "../testing/jobs_server.ts";

const jobs = await startJobsServer({
  args: ["--max-body-bytes", "100000"],
  env: { MCP_ALLOWED_ORIGINS: "https://app.example" },
});
addEventListener("unload", () => jobs.server.process.kill("SIGKILL"));

const request = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  await toAnswer(await jobs.send(path, init));
const post = async (path: string, body = ""): Promise<Answer> =>
  await request(path, { method: "POST", body });
const list = async (query: string) => {
  const { status, body } = await request(`/api/jobs?${query}`);
  strictEqual(status, 200, query);
  return body as { jobs?: Job[]; nextCursor?: string };
};

/** A job that ends when it is given a line of input. */
const waitingJob = () => jobs.sh('read line; echo "got $line"; echo bad >&2', { stdin: true });

Deno.test("GET /api/jobs/{id} answers the job, in each of its states", async () => {
  const { id } = await waitingJob();
  const running = await jobs.running(id);
  deepStrictEqual([running.state, running.stdin, running.caller], ["running", true, "default"]);
  ok(running.startedAt !== undefined && running.endedAt === undefined);
  strictEqual((await post(`/api/jobs/${id}/stdin`, "x\n")).status, 204);
  const { state, output, result, endedAt = "", expiresAt = "" } = await jobs.ended(id);
  deepStrictEqual([state, output], ["completed", {
    stdout: { start: 0, end: 6 },
    stderr: { start: 0, end: 4 },
  }]);
  deepStrictEqual(result, {
    results: [{ stdout: "got x\n", stderr: "bad\n", exitCode: 0, timedOut: false }],
  });
  strictEqual(Date.parse(expiresAt) - Date.parse(endedAt), 7 * 24 * 3_600_000);
});

Deno.test("GET /api/jobs/{id} has the arguments of the job, without the values of variables", async () => {
  const args = { commands: [{ command: "true" }], env: { REGION: "eu-7" } };
  const { id } = await (await jobs.start({ tool: "exec-command", args })).json();
  await jobs.ended(id);
  const { body } = await request(`/api/jobs/${id}`);
  deepStrictEqual(body.args, { ...args, env: { REGION: "[redacted]" } });
  strictEqual(body.argsMasked, true);
  const plain = await jobs.sh("true");
  await jobs.ended(plain.id);
  const { body: other } = await request(`/api/jobs/${plain.id}`);
  deepStrictEqual(other.args, { commands: [{ command: "true" }] });
  ok(!("argsMasked" in other));
  const listed = await list("limit=2");
  ok(listed.jobs?.every((job) => !("args" in job)), "lists have no arguments");
  const text = new TextDecoder("latin1").decode(await Deno.readFile(`${jobs.folder}/jobs.db-wal`));
  ok(text.includes("[redacted]") && !text.includes("eu-7"), "nothing else is stored");
});

Deno.test("GET /api/jobs finds jobs by their titles, ids and outcomes", async () => {
  const start = async (command: string, title: string) => {
    const call = { tool: "exec-command", args: { commands: [{ command }] }, title };
    const { id } = await (await jobs.start(call)).json();
    await jobs.ended(id);
    return id;
  };
  const failed = await start("exit 3", "Build of 100% web_3");
  const good = await start("true", "Build of 100% web-3");
  const find = async (query: string) => (await list(query)).jobs?.map(({ id }) => id);
  deepStrictEqual(await find("search=build+of"), [good, failed]);
  deepStrictEqual(await find("search=100%25+web_"), [failed]);
  deepStrictEqual(await find("search=build&outcome=failed"), [failed]);
  deepStrictEqual(await find("search=build&outcome=ok"), [good]);
  deepStrictEqual(await find("search=build&outcome=timeout"), []);
  deepStrictEqual(await find(`search=${failed.slice(0, 13)}`), [failed]);
});

Deno.test("GET /api/jobs and GET /api/jobs/{id} say how each job has ended", async () => {
  const commands = (...lines: string[]) => ({ commands: lines.map((command) => ({ command })) });
  const cases = [
    [commands("true"), { outcome: "ok", exitCode: 0 }],
    [commands("exit 3"), { outcome: "failed", exitCode: 3 }],
    [commands("true", "exit 4", "true"), {
      outcome: "failed",
      exitCode: 4,
      parts: { total: 3, failed: 1 },
    }],
    [{ ...commands("sleep 60"), timeoutMs: 1 }, { outcome: "timeout", exitCode: 143 }],
  ] as const;
  for (const [args, ending] of cases) {
    const { id } = await (await jobs.start({ tool: "exec-command", args })).json();
    await jobs.ended(id);
    const one: Partial<Job> = (await request(`/api/jobs/${id}`)).body;
    const listed = (await list("limit=1")).jobs?.[0];
    for (const job of [one, listed]) {
      const { outcome, exitCode, parts } = job ?? {};
      deepStrictEqual(job?.id, id);
      deepStrictEqual(
        JSON.parse(JSON.stringify({ outcome, exitCode, parts })),
        { ...ending },
        JSON.stringify(args),
      );
    }
  }
  const { id } = await waitingJob();
  strictEqual("outcome" in await jobs.running(id), false);
  await post(`/api/jobs/${id}/cancel`);
  strictEqual((await jobs.ended(id)).outcome, "cancelled");
});

Deno.test("?wait=N answers at the next change of state, also at one since If-None-Match", async () => {
  const { id } = await waitingJob();
  const path = `/api/jobs/${id}`;
  await jobs.running(id);
  const missed = await request(`${path}?wait=60`, {
    headers: { "if-none-match": '"queued-0-0"' },
    signal: AbortSignal.timeout(30_000),
  });
  strictEqual(missed.body.state, "running");
  const waiting = request(`${path}?wait=60`);
  await post(`${path}/stdin`, "x\n");
  strictEqual((await waiting).body.state, "completed");
  strictEqual((await request(`${path}?wait=60`)).body.state, "completed");
});

Deno.test("?wait=N answers when the time is over, and is clamped", async () => {
  const { id } = await waitingJob();
  await jobs.running(id);
  for (const wait of ["0.01", "-5", "0", ""]) {
    strictEqual((await request(`/api/jobs/${id}?wait=${wait}`)).body.state, "running", wait);
  }
  const long = request(`/api/jobs/${id}?wait=1e9`);
  strictEqual((await long).status, 422);
  const clamped = request(`/api/jobs/${id}?wait=99999999999`);
  await post(`/api/jobs/${id}/cancel`);
  strictEqual((await clamped).body.state, "cancelled");
});

Deno.test("ETag changes with the job, and 304 says that it did not", async () => {
  const { id } = await waitingJob();
  await jobs.running(id);
  const path = `/api/jobs/${id}`;
  const first = await request(path);
  const etag = first.headers.get("etag") ?? "";
  const same = await request(path, { headers: { "if-none-match": `"other", W/${etag}` } });
  deepStrictEqual([same.status, same.body.text, same.headers.get("etag")], [304, "", etag]);
  const late = await request(`${path}?wait=0.01`, { headers: { "if-none-match": etag } });
  strictEqual(late.status, 304);
  await post(`${path}/stdin`, "x\n");
  await jobs.ended(id);
  const last = await request(path, { headers: { "if-none-match": etag } });
  strictEqual(last.status, 200);
  ok(last.headers.get("etag") !== etag);
});

Deno.test("GET /api/jobs pages through all jobs, newest first, filtered and without results", async () => {
  for (const text of ["a", "b", "c"]) {
    const { id } = await (await jobs.start({ tool: "echo", args: { text } })).json();
    await jobs.ended(id);
  }
  const all = (await list("limit=1000")).jobs ?? [];
  ok(all.every((job, at) => at === 0 || job.createdAt <= (all[at - 1]?.createdAt ?? "")));
  ok(all.every((job) => !("result" in job)));
  const paged: Job[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const page = await list(`limit=2&state=&tool=&cursor=${cursor}`);
    ok((page.jobs?.length ?? 0) <= 2);
    paged.push(...page.jobs ?? []);
    cursor = page.nextCursor;
  }
  deepStrictEqual(paged.map(({ id }) => id), all.map(({ id }) => id));
  const echoes = (await list("tool=echo&state=completed")).jobs ?? [];
  deepStrictEqual(
    echoes.map(({ tool, state }) => [tool, state]),
    Array(3).fill(["echo", "completed"]),
  );
  deepStrictEqual((await list("tool=nope")).jobs, []);
  for (const limit of ["0", "-1"]) strictEqual((await list(`limit=${limit}`)).jobs?.length, 1);
  strictEqual((await list("limit=99999999")).jobs?.length, all.length);
});

const BAD_QUERIES: readonly [path: string, code: string, detail: RegExp][] = [
  ["/api/jobs?state=walking", "INVALID_ARGUMENTS", /state.*queued, running.*"walking"/],
  ["/api/jobs?limit=many", "INVALID_ARGUMENTS", /limit.*"many"/],
  ["/api/jobs?cursor=x", "BAD_CURSOR", /"x"/],
  ["/api/jobs?cursor=j999999999999999", "BAD_CURSOR", /cursor/],
  [`/api/jobs?cursor=${"x".repeat(20_000)}`, "BAD_CURSOR", /^.{1,300}$/],
  [`/api/jobs?state=${"x".repeat(20_000)}`, "INVALID_ARGUMENTS", /^.{1,300}$/],
  ["/api/jobs/x?wait=soon", "INVALID_ARGUMENTS", /wait.*"soon"/],
];

for (const [path, code, detail] of BAD_QUERIES) {
  Deno.test(`GET ${path.slice(0, 50)} is 422 ${code}`, async () => {
    const { status, body } = await request(path);
    deepStrictEqual([status, body.code], [422, code]);
    match(String(body.detail), detail);
  });
}

const METHODS: readonly [path: string, methods: readonly string[]][] = [
  ["", ["GET", "DELETE"]],
  ["/stdout", ["GET"]],
  ["/stderr", ["GET"]],
  ["/events", ["GET"]],
  ["/cancel", ["POST"]],
  ["/stdin", ["POST"]],
];

Deno.test("unknown ids of any kind are one and the same 404, on every path", async () => {
  const ids = [crypto.randomUUID(), "x", "..x", "a%2Fb", "%00", "__proto__", "x".repeat(20_000)];
  for (const [path, methods] of METHODS) {
    for (const method of methods) {
      for (const id of ids) {
        const { status, body } = await request(`/api/jobs/${id}${path}`, { method });
        deepStrictEqual([status, body.code], [404, "JOB_NOT_FOUND"], `${method} ${path}`);
        ok(String(body.detail).length < 300);
      }
    }
  }
});

Deno.test("other methods are 405 with those that are allowed; other paths are no routes", async () => {
  const { id } = await (await jobs.start({ tool: "echo", args: { text: "" } })).json();
  for (const [path, methods] of METHODS) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (methods.includes(method)) continue;
      const { status, headers } = await request(`/api/jobs/${id}${path}`, { method });
      deepStrictEqual([status, headers.get("allow")], [405, methods.join(", ")], method + path);
    }
  }
  strictEqual((await request("/api/jobs", { method: "POST" })).headers.get("allow"), "GET");
  for (const path of ["/", "//stdout", `/${id}/`, `/${id}/stdout/x`, `/${id}/stdlog`]) {
    strictEqual((await request(`/api/jobs${path}`)).body.code, "NOT_FOUND", path);
  }
});

Deno.test("POST cancel answers 202, again and again, and ends the job", async () => {
  const { id } = await jobs.sh("sleep 60 & sleep 60");
  await jobs.running(id);
  for (let times = 0; times < 3; times++) {
    const { status, body } = await post(`/api/jobs/${id}/cancel`);
    deepStrictEqual([status, body.id], [202, id]);
  }
  const { state, error } = await jobs.ended(id);
  deepStrictEqual([state, error?.code], ["cancelled", "CANCELLED"]);
  const after = await post(`/api/jobs/${id}/cancel`);
  deepStrictEqual([after.status, after.body.state], [202, "cancelled"]);
});

Deno.test("DELETE is 409 while a job lives, and forgets one that has ended", async () => {
  const { id } = await waitingJob();
  const path = `/api/jobs/${id}`;
  const early = await request(path, { method: "DELETE" });
  deepStrictEqual([early.status, early.body.code], [409, "JOB_NOT_ENDED"]);
  await post(`${path}/cancel`);
  await jobs.ended(id);
  const response = await request(path, { method: "DELETE" });
  deepStrictEqual([response.status, response.body.text], [204, ""]);
  for (const method of ["GET", "DELETE"]) {
    strictEqual((await request(path, { method })).status, 404);
  }
});

Deno.test("POST stdin is refused if nothing reads it, or if it is too much", async () => {
  const without = await jobs.sh("read line");
  await jobs.ended(without.id);
  const cases: [string, string, number, string][] = [
    [without.id, "", 409, "JOB_WITHOUT_STDIN"],
  ];
  const { id } = await jobs.sh("sleep 60", { stdin: true });
  await jobs.running(id);
  cases.push([id, "?end=maybe", 422, "INVALID_ARGUMENTS"]);
  for (const [job, query, status, code] of cases) {
    const answer = await post(`/api/jobs/${job}/stdin${query}`, "x");
    deepStrictEqual([answer.status, answer.body.code], [status, code]);
  }
  const large = await post(`/api/jobs/${id}/stdin`, "x".repeat(100_001));
  deepStrictEqual([large.status, large.body.code], [413, "BODY_TOO_LARGE"]);
  let last = await post(`/api/jobs/${id}/stdin`, "x".repeat(100_000));
  for (let times = 0; times < 20 && last.status === 204; times++) {
    last = await post(`/api/jobs/${id}/stdin`, "x".repeat(100_000));
  }
  deepStrictEqual([last.status, last.body.code, last.headers.get("retry-after")], [
    429,
    "BUSY",
    "1",
  ]);
  await post(`/api/jobs/${id}/cancel`);
  await jobs.ended(id);
  const late = await post(`/api/jobs/${id}/stdin`, "x");
  deepStrictEqual([late.status, late.body.code], [409, "JOB_NOT_RUNNING"]);
});

Deno.test("a page of an allowed origin may use all of it; others are refused", async () => {
  const origin = "https://app.example";
  const preflight = await request("/api/jobs/x", {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "DELETE" },
  });
  match(preflight.headers.get("access-control-allow-methods") ?? "", /DELETE/);
  for (const name of ["Prefer", "Idempotency-Key", "Range", "If-None-Match", "Last-Event-ID"]) {
    ok(preflight.headers.get("access-control-allow-headers")?.includes(name), name);
  }
  const { headers } = await request("/api/jobs?limit=1", { headers: { origin } });
  for (const name of ["Location", "ETag", "Content-Range", "Trestle-Gap", "Trestle-First-Offset"]) {
    ok(headers.get("access-control-expose-headers")?.includes(name), name);
  }
  const foreign = { headers: { origin: "https://evil.example" } };
  strictEqual((await request("/api/jobs", foreign)).status, 403);
});

Deno.test("every path of jobs requires the token, and a caller sees its own jobs alone", async () => {
  await using guarded = await startJobsServer({
    callers: { first: EVERYTHING, second: EVERYTHING },
  });
  const [first, second] = [bearerOf("first"), bearerOf("second")];
  const { id } = await (await guarded.start({ tool: "echo", args: { text: "" } }, first)).json();
  const send = async (path: string, method: string, headers: Record<string, string>) =>
    await toAnswer(await guarded.send(path, { method, headers }));
  const unknown = `/api/jobs/${crypto.randomUUID()}`;
  for (const [path, methods] of METHODS) {
    for (const method of methods) {
      const none = await send(`/api/jobs/${id}${path}`, method, {});
      deepStrictEqual([none.status, none.headers.get("www-authenticate")], [401, "Bearer"]);
      const foreign = await send(`/api/jobs/${id}${path}`, method, second);
      const missing = await send(unknown + path, method, second);
      deepStrictEqual([foreign.status, foreign.body.code], [404, "JOB_NOT_FOUND"]);
      deepStrictEqual(
        foreign.body,
        JSON.parse(
          JSON.stringify(missing.body).replaceAll(unknown.slice("/api/jobs/".length), id),
        ),
      );
    }
  }
  strictEqual((await send("/api/jobs", "GET", {})).status, 401);
  deepStrictEqual((await send("/api/jobs", "GET", second)).body.jobs, []);
  const own = (await send("/api/jobs", "GET", first)).body.jobs as Job[];
  deepStrictEqual(own.map((job) => job.id), [id]);
  strictEqual(own[0]?.caller, "first");
});

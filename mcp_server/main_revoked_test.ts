import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { bearerOf, type CallerRights, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { type JobsServer, startJobsServer } from "./testing/jobs_server.ts";
import { postMcp } from "./testing/mcp_request.ts";

const ADMIN: CallerRights = { ...EVERYTHING, admin: true };
const ARGS = ["--log-level", "info"];

/** Replaces the callers; resolves once the server has read the file. */
async function change(
  { folder, server }: JobsServer,
  callers: Readonly<Record<string, CallerRights>>,
): Promise<void> {
  await writeCallers(folder, callers);
  // The first time is at the start.
  await server.logged(/(callers file read[^]*){2}/);
}

/** Starts a job of a caller, which is in one of the states once this resolves. */
async function startJob(
  jobs: JobsServer,
  caller: string,
  { script, state, ...args }: { script: string; state: string; [name: string]: unknown },
): Promise<string> {
  const call = { tool: "bash-script", args: { script, ...args }, stdin: true };
  const { body } = await toAnswer(await jobs.start(call, bearerOf(caller)));
  const id = String(body.id);
  await untilLeft(jobs, id, {
    caller,
    states: ["queued", "running"].filter((each) => each !== state),
  });
  return id;
}

/** The job as its caller sees it, once it is in none of the states. */
async function untilLeft(
  { send }: JobsServer,
  id: string,
  { caller, states }: { readonly caller: string; readonly states: readonly string[] },
) {
  const latest = performance.now() + 60_000;
  for (let known = "";;) {
    const headers = { ...bearerOf(caller), ...known === "" ? {} : { "if-none-match": known } };
    const response = await send(`/api/jobs/${id}${known === "" ? "" : "?wait=30"}`, { headers });
    ok(performance.now() < latest, `the job remains ${states}`);
    known = response.headers.get("etag") ?? known;
    const { body } = await toAnswer(response);
    if (response.status === 200 && !states.includes(String(body.state))) return body;
  }
}

Deno.test("who has lost a tool writes no more input to its jobs, but may read and cancel them", async () => {
  await using jobs = await startJobsServer({ args: ARGS, callers: { bob: EVERYTHING } });
  const proof = `${jobs.folder}/proof`;
  const id = await startJob(jobs, "bob", { script: 'read line; eval "$line"', state: "running" });
  await change(jobs, { bob: { ...EVERYTHING, tools: ["job-*"] } });

  const at = `/api/jobs/${id}`;
  const headers = bearerOf("bob");
  const post = (path: string, body = "") =>
    jobs.send(`${at}${path}`, { method: "POST", headers, body }).then(toAnswer);
  const REASON = `Cannot write to the job "${id}": its tool "bash-script" is not among the tools ` +
    'of the caller "bob" (job-*)';
  for (const path of ["/stdin", "/stdin?end=true"]) {
    const { status, body } = await post(path, `touch ${proof}\n`);
    deepStrictEqual([status, body.code, body.detail], [403, "NOT_ALLOWED", REASON]);
  }
  const args = { id, text: `touch ${proof}\n` };
  const byTool = await callApi(jobs.server.url, "job-input", args, { headers });
  deepStrictEqual([byTool.status, byTool.body.detail], [403, REASON]);
  const answer = { method: "tasks/update", params: { taskId: id, inputResponses: {} } };
  const byTask = await (await postMcp(jobs.server.url, answer, { headers })).text();
  match(byTask, /Cannot answer for the job .*bash-script.* is not among the tools/);
  strictEqual((await jobs.send(at, { headers })).status, 200);
  strictEqual((await post("/cancel")).status, 202);
  const states = ["queued", "running"];
  strictEqual((await untilLeft(jobs, id, { caller: "bob", states })).state, "cancelled");
  strictEqual(await Deno.stat(proof).then(() => true, () => false), false);
});

Deno.test("a queued job begins with the rights that its caller has then, and not without them", async () => {
  await using jobs = await startJobsServer({
    args: ARGS,
    env: { MCP_MAX_RUNS: "2" },
    callers: { ann: ADMIN, bob: EVERYTHING, cy: EVERYTHING, dan: EVERYTHING, eve: EVERYTHING },
  });
  const { folder } = jobs;
  const first = await startJob(jobs, "ann", { script: "read line", state: "running" });
  const touch = (caller: string) => ({ script: `touch ${folder}/by-${caller}`, state: "queued" });
  const queued = {
    removed: await startJob(jobs, "eve", touch("eve")),
    without: await startJob(jobs, "bob", touch("bob")),
    shorter: await startJob(jobs, "cy", { ...touch("cy"), timeoutMs: 60_000 }),
    outside: await startJob(jobs, "dan", { ...touch("dan"), cwd: folder }),
    same: await startJob(jobs, "ann", touch("ann")),
  };
  await change(jobs, {
    ann: ADMIN,
    bob: { ...EVERYTHING, tools: ["job-*"] },
    cy: { ...EVERYTHING, maxTimeoutMs: 1_000 },
    dan: { ...EVERYTHING, paths: ["/elsewhere/**"] },
  });
  const input = { method: "POST", headers: bearerOf("ann"), body: "go\n" };
  strictEqual((await jobs.send(`/api/jobs/${first}/stdin`, input)).status, 204);
  const endOf = async (id: string) => {
    const ended = await untilLeft(jobs, id, { caller: "ann", states: ["queued", "running"] });
    const { state, startedAt, error } = ended;
    return { state, begun: startedAt !== undefined, error: JSON.stringify(error) };
  };
  const { removed, without, shorter, outside, same } = queued;
  strictEqual((await endOf(same)).state, "completed");
  const refused: [id: string, reason: RegExp, begun: boolean][] = [
    [removed, /NOT_ALLOWED.*not among the tools of the caller \\"eve\\" \(none\)/, false],
    [without, /NOT_ALLOWED.*\\"bash-script\\": it is not among the tools of the caller/, false],
    [shorter, /INVALID_ARGUMENTS.*at most 1000 for the caller \\"cy\\" \(maxTimeoutMs\)/, false],
    [outside, /NOT_ALLOWED.*among the paths of the caller \\"dan\\" \(\/elsewhere\/\*\*\)/, true],
  ];
  for (const [id, reason, begun] of refused) {
    const end = await endOf(id);
    deepStrictEqual([end.state, end.begun], ["failed", begun]);
    match(end.error ?? "", reason);
  }
  const made = [...Deno.readDirSync(folder)].map(({ name }) => name);
  deepStrictEqual(made.filter((name) => name.startsWith("by-")), ["by-ann"]);
});

Deno.test("the stream of list changes of a removed caller ends, and that of another goes on", async () => {
  await using jobs = await startJobsServer({
    args: ARGS,
    callers: { bob: EVERYTHING, ann: EVERYTHING },
  });
  const listen = async (caller: string) => {
    const message = {
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true } },
    };
    const { body } = await postMcp(jobs.server.url, message, {
      headers: bearerOf(caller),
      signal: AbortSignal.timeout(60_000),
    });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    match((await reader.read()).value ?? "", /subscriptions\/acknowledged/);
    return reader;
  };
  const [removed, other] = [await listen("bob"), await listen("ann")];
  await change(jobs, { ann: EVERYTHING });
  for (let part = await removed.read(); !part.done; part = await removed.read()) {
    strictEqual(part.value.includes("list_changed"), false);
  }
  let hasEnded = false;
  const next = other.read().then(({ done }) => hasEnded = done);
  strictEqual((await jobs.send("/api/tools", { headers: bearerOf("ann") })).status, 200);
  strictEqual(hasEnded, false);
  await other.cancel();
  await next;
});

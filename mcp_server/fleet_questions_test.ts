import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createFleet, type Fleet } from "./testing/fleet.ts";
import { toAnswer } from "./testing/http_caller.ts";
import { bearerOf, EVERYTHING, writeCallers } from "./testing/callers_file.ts";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { type JobsServer, startJobsServer } from "./testing/jobs_server.ts";
import { startPostgres } from "./testing/postgres.ts";
import { createHttpRequest } from "./testing/task_wire.ts";

const postgres = await startPostgres();
globalThis.addEventListener("unload", () => postgres.kill());

const ASKING_TOOLS = fileURLToPath(new URL("testdata/conformance_tools", import.meta.url));
/** A bound, not an expectation. */
const WITHIN_MS = 30_000;
const YES = { action: "accept", content: { confirm: true } };
const NO = { action: "accept", content: { confirm: false } };
const JSON_TYPE = { "content-type": "application/json" };

async function joinAll(fleet: Fleet) {
  const join = (name: string) =>
    fleet.join(name, { MCP_TOOLS_DIR: ASKING_TOOLS, MCP_TASK_AFTER_MS: "600000" });
  return await Promise.all([join("web-1"), join("web-2"), join("web-3")]);
}

/** Asks again until something is so. */
async function until<T>(ask: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (const late = performance.now() + WITHIN_MS; performance.now() < late;) {
    const value = await ask();
    if (isSo(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("Cannot see what was waited for");
}

/** The questions of a job, once it asks any. */
async function questionsOf(server: JobsServer, id: string) {
  const { questions = {} } = await until(
    () => server.job(id),
    (job) => job.questions !== undefined,
  );
  return questions;
}

/** Answers for a job over HTTP. */
async function answer(server: JobsServer, id: string, replies: object, headers = {}) {
  const response = await server.send(`/api/jobs/${id}/answer`, {
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(replies),
  });
  return response.status === 204 ? 204 : (await toAnswer(response)).body.code;
}

async function startAsking(server: JobsServer, on?: string, headers = {}): Promise<string> {
  const args = { filename: "a.txt" };
  const response = await server.start({ tool: "confirm_delete", args, on }, headers);
  return (await response.json()).id;
}

Deno.test("questions in a fleet", async (t) => {
  await using fleet = await createFleet(postgres);
  const [one, two, three] = await joinAll(fleet);
  await t.step("the question of a job is seen and answered on any server, once", async () => {
    const id = await startAsking(one, "name:web-2");
    for (const server of [one, two, three]) {
      const questions = await questionsOf(server, id);
      deepStrictEqual(Object.keys(questions), ["question-1"]);
      strictEqual(questions["question-1"]?.message, 'Delete "a.txt"?');
    }
    strictEqual(await answer(three, id, { "question-1": "yes" }), "BAD_REQUEST");
    strictEqual(await answer(three, id, { "question-9": YES }), 204);
    deepStrictEqual(Object.keys(await questionsOf(one, id)), ["question-1"]);
    strictEqual(await answer(three, id, { "question-1": YES }), 204);
    // Nobody is asked again, wherever the answer is on its way.
    strictEqual((await one.job(id)).questions, undefined);
    await answer(one, id, { "question-1": NO });
    const ended = await three.ended(id);
    deepStrictEqual([ended.state, ended.server, ended.questions], [
      "completed",
      "web-2",
      undefined,
    ]);
    match(JSON.stringify(ended.result), /Would delete/);
    strictEqual(await answer(one, id, { "question-1": YES }), "JOB_NOT_RUNNING");
  });
  await t.step("a task that asks is asked for and answered on any server", async () => {
    const [onOne, onTwo, onThree] = [one, two, three].map(({ server }) =>
      createHttpRequest(server.url)
    );
    const confirm = { name: "confirm_delete", arguments: { filename: "a.txt" } };
    const cases = [
      { call: confirm, message: 'Delete "a.txt"?', reply: NO, text: /Kept/ },
      {
        call: { ...confirm, _meta: { "io.trestle/on": "name:web-3" } },
        ...{ message: 'Delete "a.txt"?', reply: NO, text: /Kept/ },
      },
      // A call becomes a task when it asks.
      {
        call: { name: "test_tool_with_task", arguments: {} },
        message: "What is your name?",
        reply: { action: "accept", content: { name: "Ada" } },
        text: /Worked for Ada/,
      },
    ];
    for (const { call, message, reply, text } of cases) {
      const { result } = await onOne!("tools/call", call);
      strictEqual(result?.resultType, "task");
      const taskId = String(result.taskId);
      const ask = async () => (await onTwo!("tasks/get", { taskId })).result;
      const asking = await until(ask, (task) => task?.status === "input_required");
      const requests = Object.entries(Object(asking?.inputRequests));
      deepStrictEqual(requests.map(([key, request]) => [key, Object(request).params.message]), [
        ["question-1", message],
      ]);
      await onThree!("tasks/update", { taskId, inputResponses: { "question-1": reply } });
      const ended = await until(ask, (task) => task?.status === "completed");
      match(JSON.stringify(ended), text);
    }
  });
});

Deno.test("servers of one folder answer for each other's jobs, and only the job's caller does", async () => {
  await using folder = await createTempFolder();
  const env = {
    MCP_TOOLS_DIR: ASKING_TOOLS,
    MCP_DATA_DIR: `${folder.path}/data`,
    MCP_CALLERS_FILE: await writeCallers(folder.path, {
      ada: EVERYTHING,
      ops: { ...EVERYTHING, admin: true },
    }),
  };
  await using one = await startJobsServer({ env });
  await using two = await startJobsServer({ env });
  const id = await startAsking(one, undefined, bearerOf("ada"));
  const get = async (server: JobsServer) =>
    (await toAnswer(await server.send(`/api/jobs/${id}`, { headers: bearerOf("ops") }))).body;
  await until(() => get(two), ({ questions }) => questions !== undefined);
  strictEqual(await answer(two, id, { "question-1": YES }, bearerOf("ops")), "NOT_ALLOWED");
  strictEqual(await answer(two, id, { "question-1": YES }, bearerOf("ada")), 204);
  const { result } = await until(() => get(one), ({ state }) => state === "completed");
  match(JSON.stringify(result), /Would delete/);
});

Deno.test("the question whether a task may run is answered by its MCP client, and not over HTTP", async () => {
  await using one = await startJobsServer({
    env: { MCP_TOOLS_DIR: ASKING_TOOLS, MCP_ASK: "confirm_delete" },
  });
  const request = createHttpRequest(one.server.url);
  const call = { name: "confirm_delete", arguments: { filename: "a.txt" } };
  const taskId = String((await request("tools/call", call)).result?.taskId);
  const first = await questionsOf(one, taskId);
  strictEqual(first["question-1"]?.approves, true);
  const approve = { "question-1": { action: "accept", content: { decision: "approve" } } };
  strictEqual(await answer(one, taskId, approve), 204);
  deepStrictEqual(await questionsOf(one, taskId), first);
  await request("tasks/update", { taskId, inputResponses: approve });
  const { questions } = await until(
    () => one.job(taskId),
    (job) => job.questions !== undefined && !("question-1" in job.questions),
  );
  deepStrictEqual(Object.values(questions ?? {}).map(({ message }) => message), [
    'Delete "a.txt"?',
  ]);
  strictEqual(await answer(one, taskId, { "question-2": YES }), 204);
  match(JSON.stringify((await one.ended(taskId)).result), /Would delete/);
});

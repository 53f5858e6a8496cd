import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { EVERYTHING, tokenOf, writeCallers } from "../testing/callers_file.ts";
import {
  connectLegacyHttp,
  connectLegacyStdio,
  type LegacyTaskClient,
  type TaskMessage,
} from "../testing/legacy_task_client.ts";
import { startServer } from "../testing/server_process.ts";

const TOOLS = fileURLToPath(new URL("../testdata/conformance_tools", import.meta.url));
const INVALID_PARAMS = { code: -32_602 };

Deno.test("tasks of 2025-11-25 over HTTP: the client of the SDK", async (t) => {
  await using folder = await createTempFolder();
  const callers = await writeCallers(folder.path, { mine: EVERYTHING, other: EVERYTHING });
  const env = { MCP_DATA_DIR: `${folder.path}/data`, MCP_CALLERS_FILE: callers };
  await using server = await startServer({ args: ["--tools", TOOLS], env });
  await using client = await connectLegacyHttp(server.url, tokenOf("mine"));
  await useTasks(client, t);
  await t.step("keeps them from other callers", async () => {
    await using other = await connectLegacyHttp(server.url, tokenOf("other"));
    const taskId = await startSleep(client);
    deepStrictEqual((await other.tasks.listTasks()).tasks, []);
    await refusesId(other, taskId);
    strictEqual((await client.tasks.getTask(taskId)).status, "working");
    await client.tasks.cancelTask(taskId);
  });
});

Deno.test("tasks of 2025-11-25 over stdio: the client of the SDK", async (t) => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: `${folder.path}/data` };
  await using client = await connectLegacyStdio({ args: ["--tools", TOOLS], env });
  await useTasks(client, t);
});

async function useTasks(client: LegacyTaskClient, t: Deno.TestContext): Promise<void> {
  await t.step("sees which tools take tasks", async () => {
    const { tasks } = { tasks: undefined, ...client.capabilities };
    deepStrictEqual(tasks, { list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    const support = new Map(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
    const names = ["exec-command", "bash-script", "failing_job", "job-start", "greet"];
    deepStrictEqual(names.map((name) => support.get(name)), [
      ...["optional", "optional", "optional"],
      ...[undefined, undefined],
    ]);
  });
  await t.step("follows a call to its result", async () => {
    const messages = await Array.fromAsync(run(client, "echo made; exit 3"));
    const taskId = createdBy(messages[0]);
    const last = messages.at(-1);
    ok(last?.type === "result", JSON.stringify(last));
    match(JSON.stringify(last.result.structuredContent), /"stdout":"made\\n"/);
    const related = { "io.modelcontextprotocol/related-task": { taskId } };
    deepStrictEqual(last.result._meta, related);
    deepStrictEqual(await client.result(taskId), last.result);
  });
  await t.step("gets as much of the output as a call, and the job with all of it", async () => {
    const messages = await Array.fromAsync(run(client, "seq 1 60000"));
    const last = messages.at(-1);
    const { results } = JSON.parse(JSON.stringify(last)).result.structuredContent;
    const [{ stdout, truncated, job }] = results;
    deepStrictEqual([truncated, job], [true, createdBy(messages[0])]);
    ok(stdout.length > 30_000 && stdout.length < 33_000, `${stdout.length}`);
    const commands = [{ command: "seq 1 60000" }];
    const args = { commands, maxOutputBytes: 1_000_000 };
    const whole = await Array.fromAsync(client.call("exec-command", args));
    match(JSON.stringify(whole.at(-1)), /"stdout":"1\\n2\\n[^"]{300000,}60000\\n"/);
  });
  await t.step("waits for the end, which is a cancellation", async () => {
    const taskId = await startSleep(client);
    const waiting = client.result(taskId);
    strictEqual((await client.tasks.cancelTask(taskId)).status, "cancelled");
    strictEqual((await waiting).isError, true);
    strictEqual((await client.tasks.getTask(taskId)).status, "cancelled");
    await rejects(client.tasks.cancelTask(taskId), INVALID_PARAMS);
  });
  await t.step("gets the result of a tool that failed, and the error of the protocol", async () => {
    const failed = await Array.fromAsync(client.call("failing_job", {}));
    const last = failed.at(-1);
    ok(last?.type === "result" && last.result.isError === true, JSON.stringify(last));
    const broken = await Array.fromAsync(client.call("protocol_error_job", {}));
    strictEqual(broken.at(-1)?.type, "error");
    const taskId = createdBy(broken[0]);
    strictEqual((await client.tasks.getTask(taskId)).status, "failed");
    await rejects(client.result(taskId), { code: -32_602, message: /is wrong for testing/ });
    const { tasks } = await client.tasks.listTasks();
    deepStrictEqual(tasks.map(({ status }) => status), [
      ...["failed", "completed", "cancelled", "completed", "completed", "completed"],
    ]);
    deepStrictEqual(tasks[0], await client.tasks.getTask(taskId));
  });
  await t.step("is refused what is wrong", async () => {
    await refusesId(client, "unknown");
    await rejects(client.tasks.listTasks("broken"), INVALID_PARAMS);
    deepStrictEqual(await refusal(client.call("greet", { name: "you" })), -32_601);
    deepStrictEqual(await refusal(client.call("missing", {})), -32_602);
    deepStrictEqual(await refusal(client.call("exec-command", { commands: 1 })), -32_602);
  });
}

function run(client: LegacyTaskClient, command: string) {
  return client.call("exec-command", { commands: [{ command }] });
}

async function startSleep(client: LegacyTaskClient): Promise<string> {
  const messages = run(client, "sleep 60");
  const { value } = await messages.next();
  await messages.return();
  return createdBy(value ?? undefined);
}

function createdBy(message: TaskMessage | undefined): string {
  ok(message?.type === "taskCreated", JSON.stringify(message));
  ok(message.task.ttl > 0 && message.task.status === "working");
  return message.task.taskId;
}

async function refusesId({ tasks, result }: LegacyTaskClient, taskId: string): Promise<void> {
  await rejects(tasks.getTask(taskId), INVALID_PARAMS);
  await rejects(tasks.cancelTask(taskId), INVALID_PARAMS);
  await rejects(result(taskId), INVALID_PARAMS);
}

async function refusal(messages: AsyncGenerator<TaskMessage, void>): Promise<number | undefined> {
  const { value } = await messages.next();
  return value?.type === "error" ? value.error.code : undefined;
}

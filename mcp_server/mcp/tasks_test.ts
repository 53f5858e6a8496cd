import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { EVERYTHING, tokenOf, writeCallers } from "../testing/callers_file.ts";
import { createTaskSession } from "../testing/task_session.ts";
import {
  startHttpWire,
  startStdioWire,
  type TaskWire,
  type WireAnswer,
} from "../testing/task_wire.ts";

const TOOLS = fileURLToPath(new URL("../testdata/conformance_tools", import.meta.url));
const TRANSPORTS = [["HTTP", startHttpWire], ["stdio", startStdioWire]] as const;
const SOON = ["--tools", TOOLS, "--task-after-ms", "50"];
/** Later than a short call ends, also on a busy machine. */
const LATER = ["--tools", TOOLS, "--task-after-ms", "2000"];
const NEVER = ["--tools", TOOLS, "--task-after-ms", "600000"];

for (const [transport, start] of TRANSPORTS) {
  Deno.test(`tasks over ${transport}: the client of ext-tasks`, async (t) => {
    await using folder = await createTempFolder();
    const env = { MCP_DATA_DIR: `${folder.path}/data` };
    await using wire = await start({ args: SOON, env });
    await using session = createTaskSession(wire, { name: "Ada", confirm: true });
    const textOf = async (tool: string, args: Record<string, string | number>) => {
      await using execution = await session.callTool(tool, args);
      const { outcome } = await execution.settle();
      return [execution.kind, JSON.stringify(resultFromTaskOutcome(outcome).content)];
    };
    await t.step("follows a long call as a task", async () => {
      const [kind, text] = await textOf("slow_compute", { seconds: 1, label: "long" });
      strictEqual(kind, "task");
      match(String(text), /Computed \\"long\\"/);
    });
    await t.step("answers the question of a task", async () => {
      const [kind, text] = await textOf("confirm_delete", { filename: "a.txt" });
      strictEqual(kind, "task");
      match(String(text), /Would delete/);
    });
    await t.step("answers a question before there is a task", async () => {
      const [kind, text] = await textOf("test_tool_with_task", {});
      strictEqual(kind, "task");
      match(String(text), /Worked for Ada/);
    });
    await t.step("gets a short call at once", async () => {
      const [kind, text] = await textOf("greet", { name: "you" });
      strictEqual(kind, "immediate");
      match(String(text), /Hello, you!/);
    });
    await t.step("cancels a task", async () => {
      await using execution = await session.callTool("slow_compute", { seconds: 60 });
      await execution.cancel();
      strictEqual((await execution.settle()).outcome.status, "cancelled");
    });
  });
}

Deno.test("tasks: every method answers an id that is unknown or another caller's alike", async () => {
  await using folder = await createTempFolder();
  const callers = await writeCallers(folder.path, { mine: EVERYTHING, other: EVERYTHING });
  const env = { MCP_DATA_DIR: `${folder.path}/data`, MCP_CALLERS_FILE: callers };
  const [mine, other] = [tokenOf("mine"), tokenOf("other")];
  await using wire = await startHttpWire({ args: SOON, env });
  const call = { name: "slow_compute", arguments: { seconds: 60 } };
  const { result } = await wire.request("tools/call", call, { token: mine });
  const errors = [];
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    for (const taskId of [result?.taskId, "unknown"]) {
      const params = { taskId, inputResponses: {} };
      const { error } = await wire.request(method, params, { token: other });
      errors.push(`${error?.code} ${error?.message}`);
    }
  }
  deepStrictEqual(
    new Set(errors),
    new Set(["-32602 " + "Cannot find the task: it is unknown or has expired"]),
  );
  strictEqual(await statusOf(wire, result?.taskId, { token: mine }), "working");
});

Deno.test("tasks: a task is the job of its id, and ends as `failed` if its server is killed", async () => {
  await using folder = await createTempFolder();
  const server = { args: SOON, env: { MCP_DATA_DIR: `${folder.path}/data` } };
  let taskId: unknown;
  {
    await using wire = await startHttpWire(server);
    const call = { name: "slow_compute", arguments: { seconds: 60 } };
    taskId = (await wire.request("tools/call", call)).result?.taskId;
    const job = await (await fetch(`${wire.url}/api/jobs/${taskId}`)).json();
    deepStrictEqual([job.id, job.tool, job.state], [taskId, "slow_compute", "running"]);
    await wire.kill();
  }
  await using wire = await startHttpWire(server);
  const { result } = await wire.request("tasks/get", { taskId });
  strictEqual(result?.status, "failed");
  strictEqual(Object(result?.error).code, -32_603);
  match(String(result?.statusMessage), /is gone/);
});

Deno.test("tasks: calls over HTTP that do not become one", async (t) => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: `${folder.path}/data`, MCP_AUDIT_FILE: `${folder.path}/audit` };
  await using wire = await startHttpWire({ args: NEVER, env });
  await t.step("a call that ends before leaves no job, however much it wrote", async () => {
    for (const bytes of [10, 3_000_000]) {
      const command = `head -c ${bytes} /dev/zero | tr '\\0' x`;
      const { result } = await wire.request("tools/call", {
        name: "exec-command",
        arguments: { command, maxOutputBytes: 4_000_000 },
      });
      strictEqual(result?.resultType, "complete");
      match(JSON.stringify(result), /"stdout":"x{10}/);
    }
    deepStrictEqual((await (await fetch(`${wire.url}/api/jobs`)).json()).jobs, []);
  });
  await t.step("a client that goes away before there is a task stops its call", async () => {
    const gone = new AbortController();
    const call = wire.request("tools/call", {
      name: "exec-command",
      arguments: { commands: [{ command: `touch ${folder.path}/begun; sleep 60` }] },
    }, { signal: gone.signal }).catch(() => "gone");
    await untilExists(`${folder.path}/begun`);
    gone.abort();
    strictEqual(await call, "gone");
    await untilMatches(`${folder.path}/audit`, /"outcome":"CANCELLED"/);
  });
  await t.step("a client that does not declare them can't subscribe to one over HTTP", async () => {
    const params = { notifications: { taskIds: ["some"] } };
    const { error } = await wire.request("subscriptions/listen", params, { capabilities: {} });
    strictEqual(error?.code, -32_021);
  });
  await t.step("extra.ask() is refused to a client that can't ask", async () => {
    const call = { name: "test_tool_with_task", arguments: {} };
    const { error } = await wire.request("tools/call", call, { capabilities: {} });
    strictEqual(error?.code, -32_021);
    deepStrictEqual(error?.data, { requiredCapabilities: { elicitation: { form: {} } } });
  });
  await t.step("a requestState continues one call of its tool, once", async () => {
    const call = { name: "test_tool_with_task", arguments: {} };
    const capabilities = { elicitation: {} };
    const { result } = await wire.request("tools/call", call, { capabilities });
    const { requestState, inputRequests } = { ...result };
    const [key = ""] = Object.keys(Object(inputRequests));
    const answer = (name: string, state: unknown) =>
      wire.request("tools/call", {
        ...{ name, arguments: {}, requestState: state },
        inputResponses: { [key]: { action: "accept", content: { name: "Ada" } } },
      }, { capabilities });
    strictEqual((await answer("test_tool_with_task", "forged")).error?.code, -32_602);
    strictEqual((await answer("greet", requestState)).error?.code, -32_602);
    match(JSON.stringify((await answer("test_tool_with_task", requestState)).result), /for Ada/);
    strictEqual((await answer("test_tool_with_task", requestState)).error?.code, -32_602);
  });
});

Deno.test("tasks: progress goes to the call until it is a task, and ends then", async () => {
  await using folder = await createTempFolder();
  const env = { MCP_DATA_DIR: `${folder.path}/data` };
  await using wire = await startStdioWire({ args: LATER, env });
  const _meta = { progressToken: "p" };
  const short = { name: "test_tool_with_progress", arguments: {}, _meta };
  strictEqual((await wire.request("tools/call", short)).notifications.length, 3);

  const commands = [{ command: "sleep 2.5; for i in 1 2 3 4; do echo $i; sleep 0.3; done" }];
  const long = { name: "exec-command", arguments: { commands }, _meta };
  const { result } = await wire.request("tools/call", long);
  strictEqual(result?.resultType, "task");
  const answers: WireAnswer[] = [];
  await until(async () => {
    answers.push(await wire.request("tasks/get", { taskId: result.taskId }));
    return answers.at(-1)?.result?.status === "completed";
  });
  deepStrictEqual(answers.flatMap(({ notifications }) => notifications), []);
});

async function statusOf(wire: TaskWire, taskId: unknown, options: { token: string }) {
  return (await wire.request("tasks/get", { taskId }, options)).result?.status;
}

async function untilExists(path: string): Promise<void> {
  await until(() => Deno.stat(path).then(() => true, () => false));
}

async function untilMatches(path: string, pattern: RegExp): Promise<void> {
  await until(async () => pattern.test(await Deno.readTextFile(path)));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const late = performance.now() + 30_000; performance.now() < late;) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  ok(false, "it did not happen within 30 s");
}

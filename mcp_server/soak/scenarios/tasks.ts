import { expect } from "../checks.ts";
import { tokenOf } from "../../testing/callers_file.ts";
import type { WireAnswer, WireOptions } from "../../testing/task_wire.ts";
import { LONGEST_MS } from "../clients/api_client.ts";
import type { LegacyTasks, ModernTasks } from "../clients/task_clients.ts";
import { pause } from "../waiting.ts";
import type { Scenario, ScenarioParts, ScenarioRun } from "./scenario.ts";

const INVALID_PARAMS = -32_602;
const PLAIN: WireOptions = { capabilities: {} };
const TIMEOUT_MS = 60_000;
const FOREIGN = "task of another caller";

/** Calls that become tasks, in both eras. */
export function taskScenarios(parts: ScenarioParts): Scenario[] {
  const { tasks } = parts;
  const modern = { completed, undeclared, cancelled };
  const legacy = { followed, ended };
  return [
    ...Object.entries(modern).map(([name, run]): Scenario => ({
      name: `task of 2026, ${name}`,
      weight: 4,
      run: (one) => run(one.random.pick(tasks.modern), parts, one),
    })),
    ...Object.entries(legacy).map(([name, run]): Scenario => ({
      name: `task of 2025, ${name}`,
      weight: 4,
      run: (one) => run(one.random.pick(tasks.legacy), parts, one),
    })),
  ];
}

function execute(command: string) {
  const commands = [{ command }];
  return { name: "exec-command", arguments: { commands, timeoutMs: TIMEOUT_MS } };
}

/** A call that is a task by the time it ends. */
async function completed(
  tasks: ModernTasks,
  { tally }: ScenarioParts,
  { id, random }: ScenarioRun,
): Promise<void> {
  const call = execute(`echo ${id}; sleep 0.${random.below(8)}; echo over`);
  const { result } = answered(await tasks.request("tools/call", call));
  const end = typeof result.taskId === "string"
    ? Object((await finalTask(tasks, result.taskId)).result)
    : result;
  const text = JSON.stringify(end);
  expect(text.includes(`"stdout":"${id}\\nover\\n"`), "the output of a task", end);
  tally.answered(tasks);
}

/** Without the capability, the same call is answered at its end. */
async function undeclared(tasks: ModernTasks, { tally }: ScenarioParts, { id }: ScenarioRun) {
  const answer = await tasks.request("tools/call", execute(`sleep 0.5; echo ${id}`), PLAIN);
  const { result } = answered(answer);
  expect(result.taskId === undefined, "no task", result);
  const text = JSON.stringify(result);
  expect(text.includes(`"stdout":"${id}\\n"`), "the output of a call", result);
  tally.answered(tasks);
}

async function cancelled(
  tasks: ModernTasks,
  { tally, services }: ScenarioParts,
  { id, random }: ScenarioRun,
): Promise<void> {
  const call = execute(`${services.endless}${id} & ${services.endless}${id}`);
  const { result } = answered(await tasks.request("tools/call", call));
  const { taskId } = result;
  expect(typeof taskId === "string", "a task", result);
  if (tasks.hasCallers) {
    const token = tokenOf("other");
    for (const method of ["tasks/get", "tasks/cancel"]) {
      const { error } = await tasks.request(method, { taskId }, { token });
      expect(error?.code === INVALID_PARAMS, "no task of another caller", error);
      tally.rejected(FOREIGN);
    }
  }
  await pause(random.below(300));
  answered(await tasks.request("tasks/cancel", { taskId }));
  const { status } = await finalTask(tasks, taskId);
  expect(status === "cancelled", "a cancelled task", status);
  tally.cancelled(tasks);
}

function answered({ result, error }: WireAnswer): { readonly result: Record<string, unknown> } {
  expect(result !== undefined, "a result", error);
  return { result };
}

async function finalTask(
  tasks: ModernTasks,
  taskId: string,
): Promise<Record<string, unknown>> {
  const until = performance.now() + LONGEST_MS;
  for (;;) {
    const { result } = answered(await tasks.request("tasks/get", { taskId }));
    if (result.status !== "working") return result;
    expect(performance.now() < until, "the end of a task", result);
    await pause(50);
  }
}

async function followed(tasks: LegacyTasks, { tally }: ScenarioParts, { id }: ScenarioRun) {
  const client = await tasks.connect();
  const { name, arguments: args } = execute(`sleep 0.2; echo ${id}`);
  const messages = await Array.fromAsync(client.call(name, args));
  const last = messages.at(-1);
  expect(messages[0]?.type === "taskCreated" && last?.type === "result", "a result", messages);
  const text = JSON.stringify(last.result);
  expect(text.includes(`"stdout":"${id}\\n"`), "the output of a task", last);
  tally.answered(tasks);
}

async function ended(
  legacy: LegacyTasks,
  { tally, services, tasks: { connectOther } }: ScenarioParts,
  { id, random }: ScenarioRun,
): Promise<void> {
  const client = await legacy.connect();
  const { name, arguments: args } = execute(`${services.endless}${id}`);
  const { value } = await client.call(name, args).next();
  expect(value?.type === "taskCreated", "a task", value);
  const { taskId } = value.task;
  const { tasks } = await client.tasks.listTasks();
  expect(tasks.some((task) => task.taskId === taskId), "the task in the list", tasks.length);
  if (legacy.server === "http") {
    const other = await connectOther();
    const answer = await other.tasks.getTask(taskId).catch((error) => error);
    expect(answer.code === INVALID_PARAMS, "no task of another caller", answer);
    tally.rejected(FOREIGN);
  }
  await pause(random.below(300));
  const cancelled = await client.tasks.cancelTask(taskId).catch(() => client.result(taskId));
  expect(cancelled.status === "cancelled", "a cancelled task", cancelled);
  tally.cancelled(legacy);
}

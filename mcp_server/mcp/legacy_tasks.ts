import * as z from "zod";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isFinal, type Job, placementOfMeta } from "../tool/job.ts";
import type { ToolExecution } from "../tool/tool.ts";
import { CallClient, type McpCaller } from "./mcp_caller.ts";
import {
  describeTask,
  endOf,
  orProtocolError,
  type TaskContext,
  type TaskView,
  toTask,
} from "./tasks.ts";

/** What a server announces to clients of 2025-11-25 (its specification, "Tasks"). */
export const LEGACY_TASKS = Object.freeze({
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
});

/** The key of a result that says to which task it belongs. */
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** A task as revision 2025-11-25 describes it. */
interface LegacyTask extends Omit<TaskView, "ttlMs" | "pollIntervalMs"> {
  /** How long it is kept at least, in milliseconds from its creation. */
  readonly ttl: number;
  /** In milliseconds. */
  readonly pollInterval: number;
}

/** A task of the extension as revision 2025-11-25 describes it. */
function toLegacyTask({ ttlMs, pollIntervalMs, ...task }: TaskView): LegacyTask {
  return { ...task, ttl: ttlMs, pollInterval: pollIntervalMs };
}

/** Whether clients of 2025-11-25 may call a tool as a task: only one that says so. */
export function takesLegacyTasks(execution: ToolExecution | undefined): boolean {
  return execution?.taskSupport === "optional" || execution?.taskSupport === "required";
}

/** What the methods of one caller work with. */
interface LegacyTaskContext extends TaskContext {
  readonly caller: McpCaller;
  /** The requests of all callers that wait for the end of a task. */
  readonly waiting: Set<ServerContext>;
}

/** How many requests may wait for the end of a task at once. */
const MOST_WAITING = 1_000;

const Params = z.looseObject({ taskId: z.string() });
const ListParams = z.looseObject({ cursor: z.string().optional() });

/** How long one wait for a change of a task takes; the next one follows. */
const WAIT_MS = 60_000;
/** How long a cancelled task may take to end: SIGTERM, 2 s, SIGKILL, and what is left. */
const CANCEL_MS = 10_000;

/** Adds the methods of tasks to a server of revision 2025-11-25. */
export function addLegacyTaskMethods(context: LegacyTaskContext): void {
  const { server, jobs, waiting } = context;
  const add = (
    method: string,
    act: (id: string, request: ServerContext) => Promise<Record<string, unknown>>,
  ) => {
    server.setRequestHandler(
      method,
      { params: Params },
      async ({ taskId }, request) => await orProtocolError(act(taskId, request)),
    );
  };
  add("tasks/get", async (id) => ({ ...await describe(await jobs.get(id), context) }));
  add("tasks/result", async (id, request) => {
    if (waiting.size >= MOST_WAITING) throw isBusy();
    waiting.add(request);
    try {
      return await waitForResult(id, request, context);
    } finally {
      waiting.delete(request);
    }
  });
  add("tasks/cancel", async (id) => ({ ...await cancel(id, context) }));
  server.setRequestHandler("tasks/list", { params: ListParams }, async ({ cursor }) => {
    const page = await orProtocolError(jobs.list({ cursor }));
    const tasks = [];
    for (const job of page.jobs) tasks.push(await describe(job, context));
    return { tasks, nextCursor: page.nextCursor };
  });
}

/** Makes a task of a call that asks for it. */
export async function startLegacyTask(
  { name, args }: { readonly name: string; readonly args: Record<string, unknown> },
  { mcpReq }: ServerContext,
  { service, jobs, ttlMs, caller }: LegacyTaskContext,
): Promise<LegacyTask> {
  const tool = await service.find(name, caller.caller);
  if (tool !== undefined && !takesLegacyTasks(tool.execution)) {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `Cannot call "${name}" as a task: it takes none; call it without`,
    );
  }
  const { _meta: meta } = mcpReq;
  const parsed = placementOfMeta(meta);
  if (parsed?.ok === false) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, parsed.detail);
  }
  const request = { tool: name, args, ...parsed?.placement };
  const { job } = await orProtocolError(jobs.start(request, {
    priority: "call",
    asAnswer: true,
    meta: meta && { ...meta },
  }));
  return toLegacyTask(toTask(job, ttlMs));
}

/** A task with its state; that of a completed one is known without its end, which may be large. */
async function describe(job: Job, context: TaskContext): Promise<LegacyTask> {
  const task = toTask(job, context.ttlMs);
  if (job.state === "completed") return toLegacyTask({ ...task, status: "completed" });
  const { status, statusMessage } = await describeTask(job, context);
  return toLegacyTask({ ...task, status, statusMessage });
}

/** Waits for the end of a task; resolves with what the plain call answers. */
async function waitForResult(
  id: string,
  { mcpReq }: ServerContext,
  context: LegacyTaskContext,
): Promise<CallToolResult> {
  const { jobs, caller } = context;
  const client = new CallClient(mcpReq);
  using _tracked = caller.track?.(mcpReq.id, client);
  const { revoked } = caller;
  const signal = revoked === undefined ? client.signal : AbortSignal.any([client.signal, revoked]);
  const wait = { timeoutMs: WAIT_MS, untilEnd: true, signal };
  let job = await jobs.wait(id, wait);
  while (!isFinal(job.state)) job = await jobs.wait(id, wait);
  const end = await endOf(job, context);
  if ("error" in end) throw new ProtocolError(end.error.code, end.error.message, end.error.data);
  const { result } = end;
  return { ...result, _meta: { ...result._meta, [RELATED_TASK]: { taskId: id } } };
}

/** Stops a task; resolves once it is cancelled. Rejects if it has ended in another way. */
async function cancel(id: string, context: TaskContext): Promise<LegacyTask> {
  const { jobs } = context;
  const before = await jobs.get(id);
  if (isFinal(before.state)) throw hasEnded(before);
  await jobs.cancel(id);
  const job = await jobs.wait(id, { timeoutMs: CANCEL_MS, untilEnd: true });
  if (job.state === "cancelled") return await describe(job, context);
  if (isFinal(job.state)) throw hasEnded(job);
  throw new ProtocolError(
    ProtocolErrorCode.InternalError,
    `Cannot cancel the task within ${CANCEL_MS / 1_000} s: it is being stopped; ask for it again`,
  );
}

function hasEnded({ state }: Job): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Cannot cancel the task: it has ended already and is ${state}`,
  );
}

function isBusy(): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `Cannot wait for the task: ${MOST_WAITING} requests wait already; use tasks/get`,
  );
}

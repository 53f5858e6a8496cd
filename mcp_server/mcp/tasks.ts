import * as z from "zod";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { messageOf } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { isFinal, type Job, JobError, type JobErrorCode } from "../tool/job.ts";
import type { CallerJobs, ToolService } from "../tool/service.ts";
import { toMcpResult } from "./mcp_caller.ts";
import { type InputRequest, toInputRequests } from "./suspended_calls.ts";

/** The name of the extension (MCP Tasks extension, "Capability Negotiation"). */
export const TASKS = "io.modelcontextprotocol/tasks";

/** The capabilities of the client, as a request of revision 2026-07-28 declares them. */
export function capabilitiesOf({ envelope }: ServerContext["mcpReq"]): unknown {
  return new Map<string, unknown>(Object.entries(envelope ?? {})).get(CLIENT_CAPABILITIES_META_KEY);
}

/** Whether this request, and not an earlier one, says that its client knows tasks. */
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  return knowsTasks(capabilitiesOf(mcpReq));
}

/** Whether a client with these capabilities knows tasks. */
export function knowsTasks(capabilities: unknown): boolean {
  const extensions = isJsonObject(capabilities) ? capabilities.extensions : undefined;
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS]);
}

/** Throws the error of a request that only a client that knows tasks may send. */
export function requireTasks(context: ServerContext, what: string): void {
  if (declaresTasks(context)) return;
  const requiredCapabilities = { extensions: { [TASKS]: {} } };
  throw new MissingRequiredClientCapabilityError(
    { requiredCapabilities },
    `Cannot ${what}: the request does not declare the capability "${TASKS}"`,
  );
}

/** The states of a task (MCP Tasks extension, "Task Status"). */
type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A task as each answer of the extension describes it. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** How long it is kept at least, from its creation. */
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly statusMessage?: string;
}

/** A task with what its state adds: open questions, a result, or an error. */
interface DetailedTask extends TaskView {
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly result?: CallToolResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What the methods of tasks work with, for the tasks of one caller. */
export interface TaskContext {
  readonly server: McpServer["server"];
  readonly service: ToolService;
  readonly jobs: CallerJobs;
  /** How long a task is kept at least. */
  readonly ttlMs: number;
}

const POLL_MS = 1_000;

/** A live job as a task. */
export function toTask(job: Job, ttlMs: number): TaskView {
  const questions = Object.values(job.questions ?? {});
  const isAsking = !isFinal(job.state) && questions.length > 0;
  const times = [job.createdAt, job.startedAt, job.endedAt];
  for (const { askedAt } of questions) times.push(askedAt);
  return {
    taskId: job.id,
    status: isAsking ? "input_required" : "working",
    createdAt: job.createdAt,
    lastUpdatedAt: times.filter((time) => time !== undefined).sort().at(-1) ?? job.createdAt,
    ttlMs,
    pollIntervalMs: POLL_MS,
    ...(job.waiting === undefined ? {} : { statusMessage: `Waits for ${job.waiting}` }),
  };
}

/** A task with what its state adds; reads the end of one that has ended. */
export async function describeTask(
  job: Job,
  context: TaskContext,
): Promise<DetailedTask> {
  const task = toTask(job, context.ttlMs);
  if (task.status === "input_required") {
    return { ...task, inputRequests: toInputRequests(job.questions ?? {}) };
  }
  if (!isFinal(job.state)) return task;
  if (job.state === "cancelled") return { ...task, status: "cancelled" };
  const end = await endOf(job, context);
  if ("result" in end) return { ...task, status: "completed", ...end };
  return { ...task, status: "failed", statusMessage: end.error.message, ...end };
}

const NOT_FOUND = "Cannot find the task: it is unknown or has expired";

/** What the client of a task did wrong, and not the server. */
const WRONG_PARAMS: ReadonlySet<JobErrorCode> = new Set<JobErrorCode>([
  "BAD_CURSOR",
  "UNKNOWN_TOOL",
  "NOT_ALLOWED",
  "INVALID_ARGUMENTS",
]);

/** The answer of the call; an error of the protocol is the end of a task that failed. */
export async function endOf(
  { id, tool }: Job,
  { server, jobs, service }: TaskContext,
): Promise<Required<Pick<DetailedTask, "result">> | Required<Pick<DetailedTask, "error">>> {
  const outcome = await jobs.outcome(id);
  if (outcome === undefined) throw invalid(`Cannot find the end of the task "${id}"`);
  try {
    const schema = (await service.find(tool, DEFAULT_CALLER))?.outputSchema;
    return { result: server.projectCallToolResult(toMcpResult(outcome), schema) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, data } };
  }
}

/** Resolves as `work` does, or rejects with the error of MCP for that of a job. */
export async function orProtocolError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    if (error.code === "JOB_NOT_FOUND") throw invalid(NOT_FOUND);
    if (WRONG_PARAMS.has(error.code)) throw invalid(error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, messageOf(error));
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

const Params = z.looseObject({ taskId: z.string() });
const COMPLETE = { resultType: "complete" } as const;

/** Adds the methods of the extension to a server of revision 2026-07-28. */
export function addTaskMethods(context: TaskContext): void {
  const { server, jobs } = context;
  const add = (
    method: string,
    act: (id: string, request: ServerContext) => Promise<Record<string, unknown>>,
  ) => {
    server.setRequestHandler(method, { params: Params }, async ({ taskId }, request) => {
      requireTasks(request, `use ${method}`);
      return { ...COMPLETE, ...await orProtocolError(act(taskId, request)) };
    });
  };
  add("tasks/get", async (id) => {
    const task = await describeTask(await jobs.get(id), context);
    const { result } = task;
    return { ...task, ...result && { result: { ...COMPLETE, ...result } } };
  });
  add("tasks/update", async (id, { mcpReq }) => {
    await jobs.answer(id, mcpReq.inputResponses ?? {});
    return {};
  });
  add("tasks/cancel", async (id) => {
    await jobs.cancel(id);
    return {};
  });
}

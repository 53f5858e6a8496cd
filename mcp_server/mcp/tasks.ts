import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { messageOf } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { isFinal, type Job } from "../tool/job.ts";
import { JobError, type JobErrorCode } from "../tool/job_error.ts";
import type { CallerJobs } from "../tool/job_host.ts";
import type { ToolService } from "../tool/service.ts";
import { toMcpResult } from "./mcp_caller.ts";
import type { InputRequest, Questions } from "./questions.ts";

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

/** Whether a message asks for a stream of changes, which lasts until one side ends it. */
export function isSubscription(body: unknown): body is JsonObject {
  return isJsonObject(body) && body.method === "subscriptions/listen";
}

/**
 * Rejects a subscription to tasks by a client that does not declare them; the SDK, which answers
 * subscriptions, knows no tasks. Returns `undefined` for any other message.
 */
export function rejectTaskSubscription(body: unknown): Response | undefined {
  if (!isSubscription(body)) return undefined;
  const { id, params } = body;
  if (!isJsonObject(params) || !isJsonObject(params.notifications)) return undefined;
  if (params.notifications.taskIds === undefined || declares(params._meta)) return undefined;
  const error = {
    code: ProtocolErrorCode.MissingRequiredClientCapability,
    message: `Cannot subscribe to tasks: the request does not declare the capability "${TASKS}"`,
    data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
}

function declares(meta: unknown): boolean {
  return isJsonObject(meta) && knowsTasks(meta[CLIENT_CAPABILITIES_META_KEY]);
}

/** The states of a task (MCP Tasks extension, "Task Status"). */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

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

/** How a task ended that has a result or an error. */
export type TaskEnd =
  | { readonly result: CallToolResult }
  | {
    readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  };

/** A task with what its state adds. */
export type DetailedTask =
  & TaskView
  & Partial<TaskEnd>
  & { readonly inputRequests?: Readonly<Record<string, InputRequest>> };

const POLL_MS = 1_000;

/** A live job as a task. */
export function toTask(job: Job, questions: Questions | undefined, ttlMs: number): TaskView {
  const isAsking = !isFinal(job.state) && questions?.areOpen === true;
  const changedAt = questions?.changedAt;
  const times = [job.createdAt, job.startedAt, job.endedAt];
  if (changedAt !== undefined) times.push(new Date(changedAt).toISOString());
  return {
    taskId: job.id,
    status: isAsking ? "input_required" : "working",
    createdAt: job.createdAt,
    lastUpdatedAt: times.filter((time) => time !== undefined).sort().at(-1) ?? job.createdAt,
    ttlMs,
    pollIntervalMs: POLL_MS,
  };
}

/** A task with its end, or with its open questions. */
export function toDetailedTask(
  task: TaskView,
  { end, cancelled = false, questions }: {
    end?: TaskEnd;
    cancelled?: boolean;
    questions?: Questions;
  },
): DetailedTask {
  if (cancelled) return { ...task, status: "cancelled" };
  if (end === undefined) {
    return task.status === "input_required" && questions !== undefined
      ? { ...task, inputRequests: questions.requests }
      : task;
  }
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
  server: McpServer["server"],
  { id, tool }: Job,
  { jobs, service }: { readonly jobs: CallerJobs; readonly service: ToolService },
): Promise<TaskEnd> {
  const outcome = await jobs.outcome(id);
  if (outcome === undefined) throw invalid(`Cannot find the end of the task "${id}"`);
  try {
    const result = toMcpResult(outcome);
    return {
      result: server.projectCallToolResult(
        result,
        service.find(tool, DEFAULT_CALLER)?.outputSchema,
      ),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
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

/** What the methods of one caller work with. */
export interface TaskMethodParts {
  readonly service: ToolService;
  readonly jobs: CallerJobs;
  /** How long a task is kept at least. */
  readonly ttlMs: number;
  /** The questions of the tasks that run here, by task. */
  readonly questions: ReadonlyMap<string, Questions>;
}

/** Adds the methods of the extension to a server of revision 2026-07-28. */
export function addTaskMethods({ server }: McpServer, parts: TaskMethodParts): void {
  const { jobs, questions } = parts;
  const add = (
    method: string,
    act: (id: string, context: ServerContext) => Promise<Record<string, unknown>>,
  ) => {
    server.setRequestHandler(method, { params: Params }, async ({ taskId }, context) => {
      requireTasks(context, `use ${method}`);
      return { ...COMPLETE, ...await orProtocolError(act(taskId, context)) };
    });
  };
  add("tasks/get", async (id) => ({ ...await describe(server, await jobs.get(id), parts) }));
  add("tasks/update", async (id, { mcpReq }) => {
    await jobs.mayAnswer(id);
    questions.get(id)?.answer(mcpReq.inputResponses ?? {});
    return {};
  });
  add("tasks/cancel", async (id) => {
    await jobs.cancel(id);
    return {};
  });
}

async function describe(
  server: McpServer["server"],
  job: Job,
  { jobs, questions: asked, service, ttlMs }: TaskMethodParts,
): Promise<DetailedTask> {
  const questions = asked.get(job.id);
  const task = toTask(job, questions, ttlMs);
  if (!isFinal(job.state)) {
    return toDetailedTask(task, { questions });
  }
  if (job.state === "cancelled") return toDetailedTask(task, { cancelled: true });
  const end = await endOf(server, job, { jobs, service });
  return toDetailedTask(task, {
    end: "result" in end ? { result: { ...COMPLETE, ...end.result } } : end,
  });
}

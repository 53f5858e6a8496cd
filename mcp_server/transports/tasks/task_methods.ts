import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { messageOf } from "../../domain/error.ts";
import { isFinal, type Job } from "../../domain/job.ts";
import { JobError } from "../../domain/job_error.ts";
import type { CallerJobs } from "../../domain/job_host.ts";
import type { ToolService } from "../../domain/service.ts";
import { toMcpResult } from "../mcp_result.ts";
import { requireTasks } from "./client_capabilities.ts";
import { type DetailedTask, type TaskEnd, toDetailedTask, toTask } from "./task_view.ts";
import type { ToolCalls } from "./tool_calls.ts";

const Params = z.looseObject({ taskId: z.string() });
const COMPLETE = { resultType: "complete" } as const;

/** What the methods of one caller work with. */
export interface TaskMethodParts {
  readonly service: ToolService;
  readonly jobs: CallerJobs;
  /** How long a task is kept at least. */
  readonly ttlMs: number;
  readonly calls: ToolCalls;
}

/** Adds the methods of the extension to a server of revision 2026-07-28. */
export function addTaskMethods({ server }: McpServer, parts: TaskMethodParts): void {
  const { jobs, calls } = parts;
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
    await jobs.get(id);
    calls.questions.get(id)?.answer(mcpReq.inputResponses ?? {});
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
  { jobs, calls, service, ttlMs }: TaskMethodParts,
): Promise<DetailedTask> {
  const questions = calls.questions.get(job.id);
  const task = toTask(job, questions, ttlMs);
  if (!isFinal(job.state)) {
    return toDetailedTask(task, { ...(questions === undefined ? {} : { questions }) });
  }
  if (job.state === "cancelled") return toDetailedTask(task, { cancelled: true });
  return toDetailedTask(task, { end: await endOf(server, job, { jobs, service }) });
}

/** The answer of the call; an error of the protocol is the end of a task that failed. */
async function endOf(
  server: McpServer["server"],
  { id, tool }: Job,
  { jobs, service }: Pick<TaskMethodParts, "jobs" | "service">,
): Promise<TaskEnd> {
  const outcome = await jobs.outcome(id);
  if (outcome === undefined) throw notFound(`Cannot find the end of the task "${id}"`);
  try {
    const result = toMcpResult(outcome);
    const projected = server.projectCallToolResult(result, service.find(tool)?.outputSchema);
    return { result: { ...COMPLETE, ...projected } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

async function orProtocolError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    if (error.code === "JOB_NOT_FOUND") throw notFound(NOT_FOUND);
    throw new ProtocolError(ProtocolErrorCode.InternalError, messageOf(error));
  }
}

const NOT_FOUND = "Cannot find the task: it is unknown or has expired";

function notFound(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { isFinal, type Job } from "../../tool/job.ts";
import type { CallerJobs, ToolService } from "../../tool/service.ts";
import { requireTasks } from "./client_capabilities.ts";
import { endOf, orProtocolError } from "./task_end.ts";
import { type DetailedTask, toDetailedTask, toTask } from "./task_view.ts";
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
    await jobs.mayAnswer(id);
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
  const end = await endOf(server, job, { jobs, service });
  return toDetailedTask(task, {
    end: "result" in end ? { result: { ...COMPLETE, ...end.result } } : end,
  });
}

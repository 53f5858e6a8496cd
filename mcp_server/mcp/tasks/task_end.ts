import { type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { DEFAULT_CALLER } from "../../access/caller.ts";
import { messageOf } from "../../shared/error.ts";
import { type Job, JobError, type JobErrorCode } from "../../tool/job.ts";
import type { CallerJobs, ToolService } from "../../tool/service.ts";
import { toMcpResult } from "../mcp_result.ts";
import type { TaskEnd } from "./task_view.ts";

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

import type { CallToolResult } from "@modelcontextprotocol/server";
import { isFinal, type Job } from "../../tool/job.ts";
import type { InputRequest, Questions } from "./questions.ts";

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

import type { ToolExecution } from "../../tool/tool.ts";
import type { TaskView } from "./task_view.ts";

/** What a server announces to clients of 2025-11-25 (its specification, "Tasks"). */
export const LEGACY_TASKS = Object.freeze({
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
});

/** The key of a result that says to which task it belongs. */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** A task as revision 2025-11-25 describes it. */
export interface LegacyTask extends Omit<TaskView, "ttlMs" | "pollIntervalMs"> {
  /** How long it is kept at least, in milliseconds from its creation. */
  readonly ttl: number;
  /** In milliseconds. */
  readonly pollInterval: number;
}

/** A task of the extension as revision 2025-11-25 describes it. */
export function toLegacyTask({ ttlMs, pollIntervalMs, ...task }: TaskView): LegacyTask {
  return { ...task, ttl: ttlMs, pollInterval: pollIntervalMs };
}

/** Whether clients of 2025-11-25 may call a tool as a task: only one that says so. */
export function takesLegacyTasks(execution: ToolExecution | undefined): boolean {
  return execution?.taskSupport === "optional" || execution?.taskSupport === "required";
}

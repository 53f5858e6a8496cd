import { messageOf, ToolError } from "../../domain/error.ts";
import type { Log } from "../../domain/log.ts";
import { endProcesses, groupOf } from "./end_processes.ts";
import type { ProcessTable, RunMark } from "./live_process.ts";

/** With what a run is stopped. */
export interface StopParts {
  readonly table: ProcessTable;
  readonly log: Log;
}

/**
 * Stops a run, whatever the cause: ends its group and what has left the group, and resolves when
 * no process is left. Where that can't be done it is logged, with the processes that are left, and
 * rejects with a `ToolError` of code `NOT_STOPPED`.
 */
export async function stopRun(run: RunMark, { table, log }: StopParts): Promise<void> {
  const { left, trouble } = await endProcesses({
    known: [{ pid: run.group, group: run.group }],
    find: () => table.find(run),
    // A signal to a group also reaches what is born in it at that moment.
    target: groupOf,
  });
  if (left.length === 0) return;
  const pids = left.map(({ pid }) => pid);
  const reason = messageOf(trouble ?? "they do not end");
  log.error("a command was not stopped", { left: pids, reason });
  throw new ToolError(`Cannot stop the processes "${pids.join(", ")}": ${reason}`, {
    code: "NOT_STOPPED",
    cause: trouble,
  });
}

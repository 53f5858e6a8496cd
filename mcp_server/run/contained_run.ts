import { messageOf, ToolError } from "../shared/error.ts";
import type { ProgramFinder } from "../shared/find_program.ts";
import type { Log } from "../shared/log.ts";
import { type Env, type Exec, spawnChild } from "./child.ts";
import type { CommandGroup } from "./command_group.ts";
import type { CommandGroups } from "./command_groups.ts";
import { toJoining } from "./join_group.ts";
import type { ProcessTable } from "./process_table.ts";
import type { WaitingShell, WaitingShells } from "./waiting_shells.ts";

/** What runs are contained with. */
export interface ContainParts {
  /** The environment that children inherit, without the server's secrets. */
  readonly env: Env;
  readonly table: ProcessTable;
  readonly log: Log;
  /** The control groups; without them, a variable alone identifies the processes of a run. */
  readonly groups?: CommandGroups | undefined;
  /** Shells in such groups. */
  readonly shells?: WaitingShells | undefined;
  readonly programs: ProgramFinder;
  /** A word in the environment of the command's processes, besides the id of the run. */
  readonly mark?: string | undefined;
}

/** A command that was started, and the control group of its processes if there is one. */
export interface ContainedRun {
  readonly child: Deno.ChildProcess;
  /** The first word of what the launch says if it fails after all. */
  readonly mark?: string;
  /** Finds the processes of the run: those in its group too. */
  readonly table: ProcessTable;
  /** Ends all processes in the group at once. */
  readonly kill?: () => Promise<void>;
  /** Whether the kernel ended the command because it used too much memory. */
  wasOutOfMemory(): Promise<boolean>;
  /** Takes note that the command has ended: what runs on in its group does so on purpose. */
  settle(): Promise<void>;
}

/**
 * Starts a command in a control group of its own, where there are groups: in a shell that waits in
 * one, or in one that joins now. Without a group, the run is only identified by a variable, and the
 * log says so; rejects with a `ToolError` of code `NOT_CONTAINED` if groups are required.
 */
export async function startContained(
  exec: Exec,
  stdin: boolean,
  parts: ContainParts,
): Promise<ContainedRun> {
  const { groups, shells, programs, mark: job } = parts;
  if (groups === undefined) return toLoose(spawnChild(exec, { stdin }), parts);
  const { env, cwd } = exec;
  const found = { ...exec, program: await programs.find(exec.program, { path: env.PATH, cwd }) };
  // The group of a job has a name that says so, so no shell waits in it.
  const shell = job === undefined ? await shells?.become(found, { stdin }) : undefined;
  if (shell !== undefined) return toContained(shell, groups, parts);
  const group = await takeGroup(groups, parts);
  if (group === undefined) return toLoose(spawnChild(found, { stdin }), parts);
  const mark = crypto.randomUUID();
  try {
    const child = spawnChild(toJoining(found, { procs: group.procs, mark }), { stdin });
    return toContained({ child, group, mark }, groups, parts);
  } catch (error) {
    await groups.settle(group);
    throw error;
  }
}

function toLoose(child: Deno.ChildProcess, { table }: ContainParts): ContainedRun {
  const wasOutOfMemory = () => Promise.resolve(false);
  return { child, table, wasOutOfMemory, settle: () => Promise.resolve() };
}

function toContained(
  { child, group, mark }: WaitingShell,
  groups: CommandGroups,
  { table, shells, log }: ContainParts,
): ContainedRun {
  return {
    child,
    mark,
    table: {
      find: async (run) => {
        const inside = await group.members();
        if (inside.length > 0) return inside;
        // Only now is it worth a scan of all processes, for what has moved itself out of the group;
        // one that fails, as on a machine with too much to do, says nothing about the group.
        return await table.find(run).catch(() => []);
      },
      marked: (mark) => table.marked(mark),
      holders: async (run) => await table.holders(run, await group.members()),
    },
    kill: () => group.kill(),
    wasOutOfMemory: async () => groups.limitMemory && await group.wasOutOfMemory(),
    settle: async () => {
      try {
        await groups.settle(group);
      } catch (error) {
        log.error("the control group of a command failed", { reason: messageOf(error) });
      }
      shells?.refill();
    },
  };
}

async function takeGroup(
  groups: CommandGroups,
  { mark, log }: ContainParts,
): Promise<CommandGroup | undefined> {
  try {
    return await groups.take(mark);
  } catch (cause) {
    const reason = messageOf(cause);
    if (groups.required) {
      throw new ToolError(`Cannot run the command in a control group: ${reason}`, {
        code: "NOT_CONTAINED",
        cause,
      });
    }
    log.error("a command runs without a control group", { reason });
    return undefined;
  }
}

import type { CommandSpec } from "../tool/command.ts";
import { messageOf, ToolError } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { CommandGroup } from "./command_group.ts";
import type { CommandGroups } from "./command_groups.ts";
import { toOrder } from "./join_group.ts";
import type { ProcessTable } from "./live_process.ts";
import type { ProgramFinder } from "../shared/find_program.ts";
import { type Env, startChild, type StartOptions, toLaunch } from "./start_child.ts";
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
  spec: CommandSpec,
  options: StartOptions,
  parts: ContainParts,
): Promise<ContainedRun> {
  if (parts.groups === undefined) return toLoose(startChild(spec, options), parts);
  const program = await parts.programs.find(spec.program, {
    path: options.env.PATH,
    cwd: spec.cwd,
  });
  const found = { ...spec, program };
  const waiting = await order(found, options, parts);
  if (waiting !== undefined) return toContained(waiting, parts);
  const group = await takeGroup(parts);
  if (group === undefined) return toLoose(startChild(found, options), parts);
  const mark = crypto.randomUUID();
  try {
    const child = startChild(found, { ...options, joining: { procs: group.procs, mark } });
    return toContained({ child, group, mark }, parts);
  } catch (error) {
    await parts.groups.settle(group);
    throw error;
  }
}

/** Lets a shell that waits become the command, if there is one and it can. */
async function order(
  spec: CommandSpec,
  { env, stdin }: StartOptions,
  { shells, mark, env: base }: ContainParts,
): Promise<WaitingShell | undefined> {
  // The group of a job has a name that says so.
  if (shells === undefined || mark !== undefined || !await isFolder(spec.cwd)) return undefined;
  const line = toOrder({ ...toLaunch(spec, { env, stdin }), cwd: spec.cwd, stdin }, base);
  const shell = line === undefined ? undefined : shells.take();
  if (shell === undefined) return undefined;
  const { child } = shell;
  child.ref();
  const writer = child.stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(line));
  } catch {
    // Something has ended the shell, and nobody knows that yet: it has read nothing.
    writer.releaseLock();
    await shells.discard(shell);
    return undefined;
  }
  writer.releaseLock();
  if (!stdin) await child.stdin.close();
  return shell;
}

/** Whether a command can start there; if not, its start says why. */
async function isFolder(cwd: string | undefined): Promise<boolean> {
  try {
    if (cwd?.startsWith("/") !== true) Deno.cwd();
    return cwd === undefined || (await Deno.stat(cwd)).isDirectory;
  } catch {
    return false;
  }
}

const no = () => Promise.resolve(false);
const nothing = () => Promise.resolve();

function toLoose(child: Deno.ChildProcess, { table }: ContainParts): ContainedRun {
  return { child, table, wasOutOfMemory: no, settle: nothing };
}

function toContained(
  { child, group, mark }: WaitingShell,
  { table, groups, shells, log }: ContainParts,
): ContainedRun {
  const orLog = (work: Promise<void>) =>
    work.catch((error) =>
      log.error("the control group of a command failed", { reason: messageOf(error) })
    );
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
    wasOutOfMemory: async () => groups?.limitMemory === true && await group.wasOutOfMemory(),
    settle: async () => {
      await orLog(Promise.resolve(groups?.settle(group)));
      shells?.refill();
    },
  };
}

async function takeGroup(
  { groups, mark, log }: ContainParts,
): Promise<CommandGroup | undefined> {
  try {
    return await groups?.take(mark);
  } catch (cause) {
    const reason = messageOf(cause);
    if (groups?.required === true) {
      throw new ToolError(`Cannot run the command in a control group: ${reason}`, {
        code: "NOT_CONTAINED",
        cause,
      });
    }
    log.error("a command runs without a control group", { reason });
    return undefined;
  }
}

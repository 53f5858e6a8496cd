import { dirname } from "node:path/posix";
import { within } from "../shared/concurrency.ts";
import { messageOf, ToolError } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { Meter } from "../tool/service.ts";
import {
  type CgroupFiles,
  CommandGroup,
  type GroupsPlace,
  removeGroups,
} from "./command_groups.ts";
import { type LiveProcess, parseStartTime } from "./proc_format.ts";
import { mergeProcesses, type ProcessTable, type RunMark } from "./process_table.ts";

/** How long processes may take to end after SIGTERM. */
const TERM_MS = 2_000;

/**
 * How long they may take after SIGKILL, so that with draining the output everything stays within
 * four seconds. Counted from the first SIGKILL, so that a pause of the machine before that takes
 * nothing from it.
 */
const KILL_MS = 1_500;

/** Longest pause between two scans. */
const POLL_MS = 50;

/** Which processes are ended (kill(2)). */
interface Targets {
  /** Those known to be alive; until a scan succeeds, they are assumed to be all. */
  readonly known: readonly LiveProcess[];
  /**
   * Finds those that are still alive; called repeatedly, because new processes may start meanwhile.
   */
  readonly find: () => Promise<readonly LiveProcess[]>;
  /** The target of a signal for one of them: its id, or its negative group (kill(2)). */
  readonly target: (process: LiveProcess) => number;
  /** Ends all of them at once, with those that start meanwhile, where there is a way to do that. */
  readonly kill?: (() => Promise<void>) | undefined;
}

/** What is left after processes were ended: nothing, unless something went wrong. */
export interface Ending {
  readonly left: readonly LiveProcess[];
  /** What went wrong last: a signal that was denied, or a scan that failed. */
  readonly error?: unknown;
}

/**
 * Ends processes: SIGTERM, up to 2 s for all to go, then SIGKILL until two scans in a row find
 * none. Resolves as soon as they are gone, and 1.5 s after the first SIGKILL in any case. Never
 * rejects.
 */
export async function endProcesses(processes: Targets): Promise<Ending> {
  const startedAt = performance.now();
  const untilMs = (ms: number) => ms - (performance.now() - startedAt);
  const isWithin = (ms: number) => untilMs(ms) > 0;
  const signalled = new Set<number>();
  let ending: Ending = { left: processes.known };
  for (let pause = 5; ending.left.length > 0 && isWithin(TERM_MS); pause *= 2) {
    // Whatever a SIGTERM handler starts for its cleanup stays in its group, and is not signaled
    // twice.
    const targets = targetsOf(ending, processes).difference(signalled);
    ending = signal("SIGTERM", ending, targets);
    // A permission that this process lacks now, it will lack later too.
    if (ending.error instanceof Deno.errors.NotCapable) return ending;
    for (const target of targets) signalled.add(target);
    await delay(Math.min(pause, POLL_MS));
    const seen = look(ending, processes);
    // On a machine with very many processes SIGKILL does not wait for the current scan.
    if (!await within(seen, Math.max(untilMs(TERM_MS), 0))) break;
    ending = await seen;
  }
  const killedAt = performance.now();
  while (ending.left.length > 0) {
    ending = await killAll(ending, processes);
    ending = await look(signal("SIGKILL", ending, targetsOf(ending, processes)), processes);
    if (performance.now() - killedAt > KILL_MS) break;
    if (ending.left.length > 0) await delay(POLL_MS / 5);
  }
  return ending;
}

/**
 * A process that starts its successor and ends may slip through one scan, but hardly through two.
 */
async function look(ending: Ending, { find }: Targets): Promise<Ending> {
  try {
    const found = await find();
    return { ...ending, left: found.length > 0 ? found : await find() };
  } catch (error) {
    return { ...ending, error };
  }
}

async function killAll(ending: Ending, { kill }: Targets): Promise<Ending> {
  try {
    await kill?.();
    return ending;
  } catch (error) {
    return { ...ending, error };
  }
}

/** To kill(2), 0 is the caller's own group: a process whose id is not known gets no signal. */
function targetsOf({ left }: Ending, { target }: Targets): Set<number> {
  return new Set(left.map(target).filter((id) => id !== 0));
}

function signal(name: Deno.Signal, ending: Ending, targets: ReadonlySet<number>): Ending {
  let { error } = ending;
  for (const target of targets) {
    try {
      Deno.kill(target, name);
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) error = cause;
    }
  }
  return { ...ending, error };
}

/** The group of a process as a target, or the process itself if its group is not known. */
export function groupOf({ pid, group }: LiveProcess): number {
  // To kill(2), 0 is the caller's own group and -1 is every process; a process of another
  // namespace shows group 0.
  return group > 1 ? -group : pid;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What the holders of a run's output are found and ended with. */
interface HolderParts {
  readonly table: Pick<ProcessTable, "holders">;
  readonly log: Log;
}

/** The processes that hold the output of a run; none if they can't be looked up, which is logged. */
export async function findHolders(
  run: RunMark,
  { table, log }: HolderParts,
): Promise<LiveProcess[]> {
  try {
    return await table.holders(run);
  } catch (error) {
    log.error("background processes can't be looked up", { error: messageOf(error) });
    return [];
  }
}

/** Ends the processes that hold the output of a run, until the output has ended; logs those left. */
export async function endHolders(
  known: readonly LiveProcess[],
  run: RunMark,
  { table, log, ended, settle }: HolderParts & {
    /** Resolves when the output has ended. */
    readonly ended: Promise<void>;
    /** Reads the rest of the output, and closes it. */
    readonly settle: () => Promise<void>;
  },
): Promise<void> {
  let hasEnded = false;
  ended.then(() => hasEnded = true);
  const { left, error } = await endProcesses({
    known,
    find: async () => hasEnded ? [] : await table.holders(run),
    target: ({ pid }) => pid,
  });
  await settle();
  if (left.length === 0) return;
  const reason = messageOf(error ?? "they do not end");
  const pids = left.map(({ pid }) => pid);
  log.error("processes that hold the output of a command are left", { left: pids, reason });
}

/** What a run is stopped with. */
export interface StopParts {
  readonly table: ProcessTable;
  readonly log: Log;
  readonly meter?: Pick<Meter, "stopped"> | undefined;
  /** Ends all processes of the run at once. */
  readonly kill?: (() => Promise<void>) | undefined;
}

/**
 * Stops a run, whatever the cause: kills its group and what has left the group, and resolves when
 * no process is left. If that can't be done, logs the processes that are left and rejects with a
 * `ToolError` of code `NOT_STOPPED`.
 */
export async function stopRun(
  run: RunMark,
  { table, log, meter, kill }: StopParts,
): Promise<void> {
  const { left, error } = await endProcesses({
    known: [{ pid: run.group, group: run.group }],
    find: () => table.find(run),
    // A signal to a group also reaches processes that start in it at that moment.
    target: groupOf,
    kill,
  });
  meter?.stopped(left.length);
  if (left.length === 0) return;
  const pids = left.map(({ pid }) => pid);
  const reason = messageOf(error ?? "they do not end");
  log.error("a command was not stopped", { left: pids, reason });
  throw new ToolError(`Cannot stop the processes "${pids.join(", ")}": ${reason}`, {
    code: "NOT_STOPPED",
    cause: error,
  });
}

/**
 * Ends every process that carries a mark, but for this one, and what runs in the groups of that mark,
 * in those of any server. Resolves with what is left; never rejects.
 */
export async function endMarked(
  mark: string,
  { table, place }: {
    readonly table: Pick<ProcessTable, "marked">;
    readonly place: GroupsPlace | undefined;
  },
): Promise<Ending> {
  const find = async () => (await table.marked(mark)).filter(({ pid }) => pid !== Deno.pid);
  const end = async () => {
    const known = await find();
    return await endProcesses({ known, find, target: ({ pid }) => pid });
  };
  try {
    const [ending, others = []] = await Promise.all([end(), place && endGroupsOf(mark, place)]);
    return { ...ending, left: mergeProcesses(ending.left, others) };
  } catch (error) {
    return { left: [], error };
  }
}

async function endGroupsOf(
  mark: string,
  { files, root }: GroupsPlace,
): Promise<readonly LiveProcess[]> {
  const servers = await files.folders(root);
  const groups = await groupsIn(files, servers.map((name) => `${root}/${name}`));
  return await endGroups(files, groups.filter(({ name }) => name.startsWith(`${mark}.`)));
}

/**
 * Ends what servers that are gone left in their groups, but for programs that finished commands
 * left running on purpose. Groups of servers that may be alive stay untouched.
 */
export async function endFormer({ files, root, server, log }: GroupsPlace): Promise<void> {
  const gone: string[] = [];
  for (const name of await files.folders(root)) {
    if (name !== server && !await mayLive(files, name)) gone.push(name);
  }
  const groups = await groupsIn(files, gone.map((name) => `${root}/${name}`));
  const areLeft = await Promise.all(groups.map((group) => group.isLeft()));
  const left = await endGroups(files, groups.filter((_, at) => !areLeft[at]));
  for (const name of gone) {
    await removeGroups(files, `${root}/${name}`, await files.folders(`${root}/${name}`));
  }
  await files.remove(root, gone);
  if (left.length > 0) {
    log.error("processes of a former server are left", { left: left.map(({ pid }) => pid) });
  }
}

/** The groups of the commands of some servers, whose folders these are. */
async function groupsIn(
  files: CgroupFiles,
  servers: readonly string[],
): Promise<readonly CommandGroup[]> {
  const found: CommandGroup[] = [];
  for (const server of servers) {
    const names = await files.folders(server);
    found.push(...names.map((name) => new CommandGroup(files, `${server}/${name}`)));
  }
  return found;
}

/**
 * Ends all processes in some groups and removes the groups: SIGTERM, 2 s, `cgroup.kill`, which is
 * waited for. Resolves with what is left, which is nothing unless a process waits in the kernel.
 */
async function endGroups(
  files: CgroupFiles,
  groups: readonly CommandGroup[],
): Promise<readonly LiveProcess[]> {
  const endings = await Promise.all(groups.map(async (group) => {
    const ending = await endProcesses({
      known: await group.members(),
      find: () => group.members(),
      target: ({ pid }) => pid,
      kill: () => group.kill(),
    });
    await removeGroups(files, dirname(group.folder), [group.name]);
    return ending.left;
  }));
  return endings.flat();
}

/**
 * The name of the folder with the groups of one server: its process id, the time at which that
 * process started (a process id is used again), its namespace of process ids (in which alone both
 * mean something), and a part for each server that a process embeds. Groups don't outlive a boot.
 * `undefined` if `/proc` does not show the process.
 */
export async function nameServer(files: CgroupFiles, pid: number): Promise<string | undefined> {
  const started = parseStartTime(await files.read(`/proc/${pid}/stat`));
  if (started === undefined) return undefined;
  const part = crypto.randomUUID().slice(0, 8);
  return [pid, started, await namespaceOf(files), part].join("-");
}

/** Whether the server with this name may be alive: one of another namespace always may. */
export async function mayLive(files: CgroupFiles, name: string): Promise<boolean> {
  const [pid, started, namespace] = name.split("-");
  if (namespace !== await namespaceOf(files)) return true;
  return parseStartTime(await files.read(`/proc/${pid}/stat`)) === started;
}

async function namespaceOf(files: CgroupFiles): Promise<string> {
  return /\d+/.exec(await files.link("/proc/self/ns/pid"))?.[0] ?? "";
}

import { basename, dirname } from "node:path/posix";
import type { CommandLimits } from "../shared/limits.ts";
import type { CgroupFiles } from "./cgroup_files.ts";
import { endProcesses } from "./end_processes.ts";
import type { LiveProcess } from "./proc_format.ts";
import { NO_GROUP } from "./process_table.ts";

/**
 * A group within the group of a command marks it as left: what runs in it is what a finished
 * command left running on purpose. The kernel keeps the mark when the server ends.
 */
const LEFT = "left";

/** A process that is known to live, but not by an id in this server's namespace. */
const UNSEEN: LiveProcess = Object.freeze({ pid: 0, group: NO_GROUP });

/** The cgroup of one command: all processes that it starts, whatever they do to hide. */
export class CommandGroup {
  /** Its name among those of its server. */
  readonly name: string;
  /** The file into which a process writes `0` to join. */
  readonly procs: string;
  readonly folder: string;
  readonly #files: CgroupFiles;

  constructor(files: CgroupFiles, folder: string) {
    this.name = basename(folder);
    this.folder = folder;
    this.#files = files;
    this.procs = `${folder}/cgroup.procs`;
  }

  /** The processes in it; those of groups that a command made in it count, but have no id. */
  async members(): Promise<LiveProcess[]> {
    if (await this.isEmpty()) return [];
    const pids = (await this.#files.read(this.procs)).split("\n").map(Number);
    const seen = pids.filter((pid) => pid > 0).map((pid) => ({ pid, group: NO_GROUP }));
    return seen.length > 0 ? seen : [UNSEEN];
  }

  /** Whether no process is in it, nor in a group within it. */
  async isEmpty(): Promise<boolean> {
    const events = await this.#files.read(`${this.folder}/cgroup.events`);
    return !/^populated 1$/m.test(events);
  }

  /** Ends all processes in it at once, with SIGKILL; none can escape by starting another. */
  async kill(): Promise<void> {
    await this.#files.write(`${this.folder}/cgroup.kill`, "1");
  }

  /** Marks what runs in it as left on purpose. */
  async leave(): Promise<void> {
    await this.#files.make(this.folder, [LEFT]);
  }

  /** Whether it is marked as left. */
  async isLeft(): Promise<boolean> {
    return (await this.#files.folders(this.folder)).includes(LEFT);
  }

  /** Whether the kernel ended it because it used more memory than its limit. */
  async wasOutOfMemory(): Promise<boolean> {
    const events = await this.#files.read(`${this.folder}/memory.events`);
    return /^oom_(group_)?kill [1-9]/m.test(events);
  }
}

/** How deep groups are removed that commands made within theirs. */
const MOST_LEVELS = 8;

/** Removes groups with all that are in them, but for those in which processes run. */
export async function removeGroups(
  files: CgroupFiles,
  folder: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await files.remove(folder, names);
  const left = new Set(await files.folders(folder)).intersection(new Set(names));
  for (const name of left) {
    if (await new CommandGroup(files, `${folder}/${name}`).isEmpty()) {
      await removeTree(files, `${folder}/${name}`, MOST_LEVELS);
      await files.remove(folder, [name]);
    }
  }
}

async function removeTree(files: CgroupFiles, folder: string, levels: number): Promise<void> {
  const names = await files.folders(folder);
  if (names.length === 0) return;
  for (const name of levels > 0 ? names : []) {
    await removeTree(files, `${folder}/${name}`, levels - 1);
  }
  await files.remove(folder, names);
}

/** The groups of the commands of some servers. */
export async function groupsIn(
  files: CgroupFiles,
  root: string,
  servers: readonly string[],
): Promise<CommandGroup[]> {
  const found: CommandGroup[] = [];
  for (const server of servers) {
    const folder = `${root}/${server}`;
    for (const name of await files.folders(folder)) {
      found.push(new CommandGroup(files, `${folder}/${name}`));
    }
  }
  return found;
}

/**
 * Ends all processes in some groups and removes the groups: SIGTERM, 2 s, `cgroup.kill`, which is
 * waited for. Resolves with what is left, which is nothing unless a process waits in the kernel.
 */
export async function endGroups(
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

/** What the kernel can limit for a group. */
export type Controller = "memory" | "pids" | "cpu";

/** One file of a group that limits what runs in it. */
export interface GroupLimit {
  readonly controller: Controller;
  readonly file: string;
  readonly value: string;
  /** Whether the kernel may lack the file, as without swap. */
  readonly optional?: boolean;
}

/** The period of `cpu.max`, in microseconds. */
const CPU_PERIOD = 100_000;

/** The files that limit a command (the kernel's "Control Group v2"). */
export function toGroupLimits({ memoryBytes, pids, cpu }: CommandLimits): GroupLimit[] {
  const limits: GroupLimit[] = [];
  if (memoryBytes !== undefined) {
    limits.push(
      { controller: "memory", file: "memory.max", value: String(memoryBytes) },
      // The command ends as a whole, not only its largest process.
      { controller: "memory", file: "memory.oom.group", value: "1" },
      { controller: "memory", file: "memory.swap.max", value: "0", optional: true },
    );
  }
  if (pids !== undefined) {
    limits.push({ controller: "pids", file: "pids.max", value: String(pids) });
  }
  if (cpu !== undefined) {
    const value = `${Math.round(cpu * CPU_PERIOD)} ${CPU_PERIOD}`;
    limits.push({ controller: "cpu", file: "cpu.max", value });
  }
  return limits;
}

/** Limits what runs in a group. */
export async function setLimits(
  files: CgroupFiles,
  group: string,
  limits: readonly GroupLimit[],
): Promise<void> {
  for (const { file, value, optional = false } of limits) {
    try {
      await files.write(`${group}/${file}`, value);
    } catch (cause) {
      if (!optional) throw cause;
    }
  }
}

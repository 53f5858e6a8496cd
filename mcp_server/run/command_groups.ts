import { basename, dirname } from "node:path/posix";
import type { CommandLimits } from "../shared/limits.ts";
import type { CgroupFiles } from "./cgroup_files.ts";
import { endProcesses } from "./end_processes.ts";
import { type LiveProcess, parseStartTime } from "./proc_format.ts";
import { NO_GROUP } from "./process_table.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";

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
  for (const name of levels > 0 ? names : []) {
    await removeTree(files, `${folder}/${name}`, levels - 1);
  }
  if (names.length > 0) await files.remove(folder, names);
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

/** What the kernel can limit for a group. */
export type Controller = "memory" | "pids" | "cpu";

/** One file of a group that limits what runs in it. */
interface GroupLimit {
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
  if (pids !== undefined) limits.push({ controller: "pids", file: "pids.max", value: `${pids}` });
  if (cpu !== undefined) {
    const value = `${Math.round(cpu * CPU_PERIOD)} ${CPU_PERIOD}`;
    limits.push({ controller: "cpu", file: "cpu.max", value });
  }
  return limits;
}

/** Where the groups of a server's commands are, and what limits them. */
interface GroupsOptions {
  readonly files: CgroupFiles;
  /** The folder of all servers. */
  readonly root: string;
  /** The name of this server's folder in it, which exists. */
  readonly server: string;
  readonly limits: readonly GroupLimit[];
  /** Whether no command may run without a group. */
  readonly required: boolean;
  readonly log: Log;
}

/** So many groups are made, and removed, at once: each time may cost the start of a program. */
const BATCH = 16;
/** With so few groups left, more are made. */
const FEW = 4;

/** The cgroups of a server's commands: one for each, made before it is needed. */
export class CommandGroups {
  /** Whether no command may run without a group. */
  readonly required: boolean;
  /** Whether the memory of commands is limited. */
  readonly limitMemory: boolean;
  readonly #options: GroupsOptions;
  readonly #folder: string;
  readonly #spare: string[] = [];
  readonly #finished: string[] = [];
  /** Those of finished commands in which something still runs. */
  #left = new Map<string, CommandGroup>();
  #upkeep: Promise<void> = Promise.resolve();
  #busy = false;
  #count = 0;

  constructor(options: GroupsOptions) {
    this.#options = options;
    this.#folder = `${options.root}/${options.server}`;
    this.required = options.required;
    this.limitMemory = options.limits.some(({ controller }) => controller === "memory");
  }

  /** How many groups have programs in them that finished commands left running, as far as known. */
  get left(): number {
    return this.#left.size;
  }

  /**
   * An empty group for one command. That of a job's command is named after the job's mark, so that
   * {@linkcode endMarked} finds it, whichever server made it.
   */
  async take(mark?: string): Promise<CommandGroup> {
    const name = mark === undefined ? await this.#takeSpare() : `${mark}.${this.#count++}`;
    if (mark !== undefined) await this.#create([name]);
    return new CommandGroup(this.#options.files, `${this.#folder}/${name}`);
  }

  /**
   * Takes a group back when its command has been answered: from now on, what runs in it is left
   * running on purpose, also for later servers.
   */
  async settle(group: CommandGroup): Promise<void> {
    if (await group.isEmpty()) {
      this.#finished.push(group.name);
    } else {
      await group.leave();
      this.#left.set(group.name, group);
    }
    if (this.#finished.length >= BATCH) this.#tend();
  }

  /** Ends what runs in the groups of a job, in those of any server; resolves with what is left. */
  async endMarked(mark: string): Promise<readonly LiveProcess[]> {
    const { files, root } = this.#options;
    const servers = await files.folders(root);
    const groups = await groupsIn(files, servers.map((name) => `${root}/${name}`));
    return await endGroups(files, groups.filter(({ name }) => name.startsWith(`${mark}.`)));
  }

  /**
   * Ends what servers that are gone left in their groups, but for programs that finished commands
   * left running on purpose. Groups of servers that may be alive stay untouched.
   */
  async endFormer(): Promise<void> {
    const { files, root, server, log } = this.#options;
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

  /** Removes all groups in which nothing runs. */
  async close(): Promise<void> {
    const { files, root, server } = this.#options;
    await this.#upkeep;
    await removeGroups(files, this.#folder, await files.folders(this.#folder));
    await files.remove(root, [server]);
  }

  async #takeSpare(): Promise<string> {
    if (this.#spare.length === 0) await this.#makeSpare();
    const name = this.#spare.shift();
    if (name === undefined) return await this.#takeSpare();
    if (this.#spare.length < FEW) this.#tend();
    return name;
  }

  async #makeSpare(): Promise<void> {
    const names = Array.from({ length: BATCH }, () => `c${this.#count++}`);
    await this.#create(names);
    this.#spare.push(...names);
  }

  async #create(names: readonly string[]): Promise<void> {
    const { files, limits } = this.#options;
    await files.make(this.#folder, names);
    for (const name of names) {
      for (const { file, value, optional = false } of limits) {
        const written = files.write(`${this.#folder}/${name}/${file}`, value);
        await (optional ? written.catch(() => {}) : written);
      }
    }
  }

  /** Makes and removes groups beside the commands. */
  #tend(): void {
    if (this.#busy) return;
    this.#busy = true;
    const work = async () => {
      try {
        if (this.#spare.length < FEW) await this.#makeSpare();
        await this.#removeFinished();
      } catch (error) {
        const reason = messageOf(error);
        this.#options.log.error("the groups of commands can't be looked after", { reason });
      } finally {
        this.#busy = false;
      }
    };
    this.#upkeep = this.#upkeep.then(work);
  }

  async #removeFinished(): Promise<void> {
    for (const [name, group] of this.#left) {
      if (!await group.isEmpty()) continue;
      this.#left.delete(name);
      this.#finished.push(name);
    }
    await removeGroups(this.#options.files, this.#folder, this.#finished.splice(0));
  }
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

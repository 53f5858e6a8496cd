import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";
import type { CgroupFiles } from "./cgroup_files.ts";
import {
  CommandGroup,
  endGroups,
  type GroupLimit,
  groupsIn,
  removeGroups,
  setLimits,
} from "./command_group.ts";
import { type LiveProcess, parseStartTime } from "./proc_format.ts";

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
  }

  /** Whether no command may run without a group. */
  get required(): boolean {
    return this.#options.required;
  }

  /** Whether the memory of commands is limited. */
  get limitMemory(): boolean {
    return this.#options.limits.some(({ controller }) => controller === "memory");
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
    const name = mark === undefined ? await this.#takeSpare() : await this.#makeMarked(mark);
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
    const groups = await groupsIn(files, root, await files.folders(root));
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
    const groups = await groupsIn(files, root, gone);
    const unfinished = await Promise.all(groups.map(async (group) => !await group.isLeft()));
    const ending = groups.filter((_, at) => unfinished[at]);
    const left = await endGroups(files, ending);
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
    if (this.#spare.length === 0) await this.#make(BATCH);
    const name = this.#spare.shift();
    if (name === undefined) return await this.#takeSpare();
    if (this.#spare.length < FEW) this.#tend();
    return name;
  }

  async #makeMarked(mark: string): Promise<string> {
    const name = `${mark}.${this.#count++}`;
    await this.#create([name]);
    return name;
  }

  async #make(count: number): Promise<void> {
    const names = Array.from({ length: count }, () => `c${this.#count++}`);
    await this.#create(names);
    this.#spare.push(...names);
  }

  async #create(names: readonly string[]): Promise<void> {
    const { files, limits } = this.#options;
    await files.make(this.#folder, names);
    for (const name of names) await setLimits(files, `${this.#folder}/${name}`, limits);
  }

  /** Makes and removes groups beside the commands. */
  #tend(): void {
    if (this.#busy) return;
    this.#busy = true;
    const work = async () => {
      try {
        if (this.#spare.length < FEW) await this.#make(BATCH);
        await this.#removeFinished();
      } catch (error) {
        this.#options.log.error("the groups of commands can't be looked after", {
          reason: messageOf(error),
        });
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

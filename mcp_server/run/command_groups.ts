import { basename } from "node:path/posix";
import { KeptShell } from "./kept_shell.ts";
import type { LiveProcess } from "./proc_format.ts";
import { NO_GROUP } from "./process_table.ts";
import { messageOf } from "../shared/error.ts";
import type { Log } from "../shared/log.ts";

/** The files of the cgroup v2 tree and of `/proc`, as the kernel shows them to this server. */
export interface CgroupFiles extends AsyncDisposable {
  /** Reads a small file; an empty text if there is none. */
  read(file: string): Promise<string>;
  /** Writes a file in one piece; rejects if the kernel refuses it. */
  write(file: string, text: string): Promise<void>;
  /** The names of the folders in a folder; none if it is missing. */
  folders(folder: string): Promise<string[]>;
  /** Creates folders with these names, and the folder above them; rejects if one can't be made. */
  make(folder: string, names: readonly string[]): Promise<void>;
  /** Removes the folders with these names that are empty, and leaves the others. */
  remove(folder: string, names: readonly string[]): Promise<void>;
  /** The target of a symbolic link. */
  link(file: string): Promise<string>;
  /** Moves this process, and what helps it to reach the files, into a group. */
  moveServer(folder: string): Promise<void>;
}

/**
 * Opens the files: directly if this process may (Deno requires `--allow-all` below `/sys` and
 * `/proc`), otherwise through one `sh` that is kept, found on `path`.
 */
export function openCgroupFiles(path: string): CgroupFiles {
  try {
    Deno.readTextFileSync("/proc/self/cgroup");
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return createHelpedFiles(path);
  }
  return createDirectFiles();
}

/** Each access takes some 30 microseconds, which is less than handing it to another thread. */
function createDirectFiles(): CgroupFiles {
  const write = (file: string, text: string) =>
    Promise.try(() => Deno.writeTextFileSync(file, text, { create: false }));
  return {
    read: (file) => Promise.try(() => unlessGone("", () => Deno.readTextFileSync(file))),
    write,
    folders: (folder) => Promise.try(() => unlessGone([], () => foldersIn(folder))),
    make: (folder, names) =>
      Promise.try(() => {
        for (const name of names) Deno.mkdirSync(`${folder}/${name}`, { recursive: true });
      }),
    remove: (folder, names) =>
      Promise.try(() => {
        for (const name of names) removeIfEmpty(`${folder}/${name}`);
      }),
    link: (file) => Promise.try(() => Deno.readLinkSync(file)),
    moveServer: (folder) => write(`${folder}/cgroup.procs`, String(Deno.pid)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function foldersIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].filter((e) => e.isDirectory).map(({ name }) => name);
}

function removeIfEmpty(folder: string): void {
  try {
    Deno.removeSync(folder);
  } catch {
    // It is in use, or another server has removed it.
  }
}

function unlessGone<T>(fallback: T, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return fallback;
    // ESRCH and ENODEV: the process has ended, or the group was removed. Deno has no class for them.
    if (error instanceof Error && /\(os error (3|19)\)/.test(error.message)) return fallback;
    throw error;
  }
}

/** How long one access may take; the kernel answers in microseconds. */
const TIME_OUT_MS = 3_000;

const FUNCTIONS = `
read_file() { [ ! -e "$1" ] || while read -r line; do printf '%s\\n' "$line"; done <"$1"; }
write_file() { printf %s "$2" >"$1"; }
folders() { for path in "$1"/*/; do [ ! -d "$path" ] || printf '%s\\n' "$path"; done; }
make() { mkdir -p "$@"; }
remove() { rmdir "$@" >/dev/null 2>&1 || :; }
move() { printf %s $$ >"$1" && printf %s $PPID >"$1"; }`;

function createHelpedFiles(path: string): CgroupFiles {
  const action = "reach the control groups";
  const shell = new KeptShell({ path, functions: FUNCTIONS, action, timeoutMs: TIME_OUT_MS });
  const within = (folder: string, names: readonly string[]) =>
    names.map((name) => `${folder}/${name}`);
  return {
    read: (file) => shell.ask("read_file", file),
    write: async (file, text) => void await shell.ask("write_file", file, text),
    folders: async (folder) =>
      (await shell.ask("folders", folder)).split("\n").slice(0, -1)
        .map((path) => path.split("/").at(-2) ?? ""),
    make: async (folder, names) => void await shell.ask("make", ...within(folder, names)),
    remove: async (folder, names) => void await shell.ask("remove", ...within(folder, names)),
    link: async (file) => (await shell.ask("readlink", file)).trimEnd(),
    moveServer: async (folder) => void await shell.ask("move", `${folder}/cgroup.procs`),
    [Symbol.asyncDispose]: () => shell[Symbol.asyncDispose](),
  };
}

/** A group in a command's own marks what runs there as left; the kernel keeps it after the server. */
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

/** Where the groups of a server's commands are. */
export interface GroupsPlace {
  readonly files: CgroupFiles;
  /** The folder of all servers. */
  readonly root: string;
  /** The name of this server's folder in it, which exists. */
  readonly server: string;
  readonly log: Log;
}

/** Where they are, and what limits them. */
interface GroupsOptions extends GroupsPlace {
  readonly limits: readonly GroupLimit[];
  /** Whether no command may run without a group. */
  readonly required: boolean;
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
  /** Where they are; what former servers left is there too. */
  readonly place: GroupsPlace;
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
    this.place = this.#options = options;
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
   * `endMarked()` finds it, whichever server made it.
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

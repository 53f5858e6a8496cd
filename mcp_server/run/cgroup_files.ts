import { KeptShell } from "./kept_shell.ts";

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

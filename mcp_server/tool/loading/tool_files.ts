import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path/posix";

/** A file that registers a tool. */
export interface ToolFile {
  /** The name of the file without its extension. */
  readonly toolName: string;
  /** Path of the file. */
  readonly file: string;
}

/** The content of a module and of everything that it reaches by a relative path. */
export interface ModuleContent {
  /** Changes with any of the files. */
  readonly digest: string;
  /** The paths of the files, the module's own first. */
  readonly files: readonly string[];
}

/** The largest module that is loaded. */
const MOST_BYTES = 16 * 1024 * 1024;
/** The most files of one module that are compared. */
const MOST_FILES = 1_000;
const TOOL_FILE = /^(?![._])(.+)\.(ts|js|mjs)$/;
const NO_TOOL = /(_test|\.test|\.d)\.(ts|js|mjs)$/;
const SOURCE = /\.(ts|tsx|js|jsx|mjs|mts)$/;
/** A relative path in quotes, wherever it is: of an import, of data, of a worker. */
const RELATIVE_PATH = /(["'`])(\.{1,2}\/[^"'`\n$]+)\1/g;

/** The tool files of a folder, by name. Rejects if it can't be read. */
export async function findToolFiles(folder: string): Promise<ToolFile[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (!entry.isDirectory && TOOL_FILE.test(entry.name) && !NO_TOOL.test(entry.name)) {
      names.push(entry.name);
    }
  }
  return names.sort().map((name) => ({
    toolName: name.replace(TOOL_FILE, "$1"),
    file: `${folder.replace(/\/+$/, "")}/${name}`,
  }));
}

/**
 * Throws for files that `import()` would wait for or read endlessly: a FIFO, a device, a huge file.
 */
export async function ensureModuleFile(file: string): Promise<void> {
  const { isFile, size } = await Deno.stat(file);
  if (!isFile) throw new TypeError("Cannot load the module: it is not a regular file");
  if (size <= MOST_BYTES) return;
  throw new RangeError(`Cannot load the module: it has ${size} bytes, ${MOST_BYTES} are the most`);
}

/**
 * Reads a module and every file whose relative path it has in quotes, and so on: its imports, and
 * the data that it reads. Paths that name no file count too, so that a file that appears is a change.
 */
export async function readModule(file: string): Promise<ModuleContent> {
  const files = [file];
  const hash = createHash("sha256");
  for (const path of files) {
    const bytes = await readFile(path);
    hash.update(`${path}\0${bytes?.length ?? "none"}\0`).update(bytes ?? "");
    if (bytes === undefined || !SOURCE.test(path)) continue;
    for (const [, , relative = ""] of new TextDecoder().decode(bytes).matchAll(RELATIVE_PATH)) {
      const reached = resolve(dirname(path), relative);
      if (files.length < MOST_FILES && !files.includes(reached)) files.push(reached);
    }
  }
  return { digest: hash.digest("hex"), files };
}

/** The content of a regular file of a sensible size, or `undefined` if there is none. */
async function readFile(path: string): Promise<Uint8Array | undefined> {
  try {
    await ensureModuleFile(path);
    return await Deno.readFile(path);
  } catch {
    return undefined;
  }
}

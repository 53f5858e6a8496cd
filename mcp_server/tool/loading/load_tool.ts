import { dirname, resolve } from "node:path/posix";
import { pathToFileURL } from "node:url";
import { firstOf } from "../../shared/concurrency.ts";
import { messageOf } from "../../shared/error.ts";
import type { Log } from "../../shared/log.ts";
import type { RegisteredTool, ToolContext, ToolModule } from "../tool.ts";
import { StagedRegistrar } from "../registry.ts";

/** A file that registers a tool. */
export interface ToolFile {
  /** The name of the file without its extension. */
  readonly toolName: string;
  /** Path of the file, or the URL of a module that is loaded over the network. */
  readonly file: string;
}

/** The content of a module and of everything that it reaches by a relative path. */
interface ModuleContent {
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
async function ensureModuleFile(file: string): Promise<void> {
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
  const { createHash } = await import("node:crypto");
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

/** What tool modules receive, and how long they may take. */
export interface ModuleContext {
  /** The part of the modules' context that all of them share. */
  readonly context: Omit<ToolContext, "mcpServer" | "toolName" | "log" | "onShutdown">;
  /** Creates the log of one tool. */
  readonly createLog: (toolName: string) => Log;
}

/** A function that a module registered for the end of its tool. */
export type ShutdownHook = () => void | Promise<void>;

/** What a module registered. */
export interface LoadedModule {
  readonly tool: RegisteredTool;
  readonly hooks: readonly ShutdownHook[];
}

/**
 * Imports a tool's module and calls its default export. Rejects if it can't be used; the first line
 * of the message says why.
 */
export async function loadTool(
  { toolName, file }: ToolFile,
  options: ModuleContext & {
    /** The path to import instead of the file's own; see `ModuleVersions`. */
    readonly path?: string;
    /** Whether its schemas are known to be usable; see `StagedRegistrar`. @default {false} */
    readonly isKnown?: boolean;
  },
): Promise<LoadedModule> {
  const staged = new StagedRegistrar(toolName, options);
  const hooks: ShutdownHook[] = [];
  const { limits: { toolLoadMs } } = options.context;
  await inTime(toolLoadMs, async () => {
    const isRemote = URL.canParse(file);
    if (!isRemote) await ensureModuleFile(file);
    const url = isRemote ? file : pathToFileURL(options.path ?? file).href;
    const module: unknown = await import(url);
    const register = defaultExport(module);
    await register({
      ...options.context,
      mcpServer: staged,
      toolName,
      log: options.createLog(toolName),
      onShutdown: (hook) => void hooks.push(hook),
    });
  });
  const [tool] = staged.tools;
  if (tool !== undefined) return { tool, hooks };
  throw new TypeError("Cannot load the module: it registered no tool, call mcpServer.tool()");
}

/** The first line of what made a module unusable. */
export function problemOf(error: unknown): string {
  return messageOf(error).split("\n", 1)[0] ?? "";
}

function defaultExport(module: unknown): ToolModule {
  if (typeof module === "object" && module !== null && "default" in module) {
    if (isToolModule(module.default)) return module.default;
  }
  throw new TypeError("Cannot load the module: its default export is not a function");
}

function isToolModule(value: unknown): value is ToolModule {
  return typeof value === "function";
}

async function inTime(timeoutMs: number, work: () => Promise<void>): Promise<void> {
  using deadline = firstOf({ timeoutMs });
  const late = deadline.expired.then(() => {
    throw new RangeError(`Cannot load the module: it took more than ${timeoutMs} ms`);
  });
  await Promise.race([work(), late]);
}

/**
 * New paths of the same files, because a module is imported only once by each path. A version is a
 * link to the root folder: every relative import below it has a new path too, and nothing is copied.
 */
export class ModuleVersions {
  #folder: string | undefined;
  #count = 0;

  /** Creates a version; the path of a file in it is the version's followed by the file's. */
  async create(): Promise<string> {
    const name = `${++this.#count}`;
    try {
      this.#folder ??= await makeFolder();
      return await link(`${this.#folder}/${name}`);
    } catch {
      // a program that cleans up temporary files removed it
      this.#folder = await makeFolder();
      return await link(`${this.#folder}/${name}`);
    }
  }

  /** Removes the links; modules that are loaded already stay usable. */
  async close(): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder !== undefined) await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Only the server's user can write to it, so that nobody else can redirect an import. */
async function makeFolder(): Promise<string> {
  return await Deno.makeTempDir({ prefix: "trestle-reload-" });
}

async function link(path: string): Promise<string> {
  await Deno.symlink("/", path);
  return path;
}

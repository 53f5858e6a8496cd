import { pathToFileURL } from "node:url";
import { firstOf } from "../domain/deadline.ts";
import { messageOf } from "../domain/error.ts";
import type { Log } from "../domain/log.ts";
import type { ToolContext, ToolModule } from "../domain/module.ts";
import { StagedRegistrar, type ToolRegistry } from "../domain/registry.ts";
import type { RegisteredTool } from "../domain/tool.ts";

/** The result of loading one tool file. */
export interface LoadReport {
  /** The name of the file without its extension. */
  readonly toolName: string;
  /** Path of the file. */
  readonly file: string;
  /** Why the file was skipped; absent if its tool is registered. */
  readonly problem?: string;
}

/** What tool modules receive, and how long they may take. */
export interface LoadOptions {
  readonly registry: ToolRegistry;
  readonly log: Log;
  /** The part of the modules' context that all of them share. */
  readonly context: Omit<ToolContext, "mcpServer" | "toolName" | "log">;
  /** Creates the log of one tool. */
  readonly createLog: (toolName: string) => Log;
}

/** The largest module that is loaded. */
const MOST_BYTES = 16 * 1024 * 1024;
const TOOL_FILE = /^(?![._])(.+)\.(ts|js|mjs)$/;
const NO_TOOL = /(_test|\.test|\.d)\.(ts|js|mjs)$/;

/**
 * Loads every tool file of the folders, in the order of the folders and then of the names. A file
 * that can't be used is skipped with one line in the log, and the others are loaded. Rejects if a
 * folder can't be read, because the operator named it.
 */
export async function loadTools(
  folders: readonly string[],
  options: LoadOptions,
): Promise<LoadReport[]> {
  const files = (await Promise.all(folders.map(toolFiles))).flat();
  const staged = await Promise.allSettled(files.map((tool) => stageTool(tool, options)));
  return files.map((tool, at) => {
    const problem = addTools(options.registry, staged[at]);
    if (problem !== undefined) options.log.warn("tool skipped", { ...tool, problem });
    return { ...tool, ...(problem === undefined ? {} : { problem }) };
  });
}

interface ToolFile {
  readonly toolName: string;
  readonly file: string;
}

async function toolFiles(folder: string): Promise<ToolFile[]> {
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

async function stageTool({ toolName, file }: ToolFile, options: LoadOptions) {
  const staged = new StagedRegistrar(toolName);
  const { limits: { toolLoadMs } } = options.context;
  await inTime(toolLoadMs, async () => {
    await ensureModuleFile(file);
    const module: unknown = await import(pathToFileURL(file).href);
    const register = defaultExport(module);
    await register({
      ...options.context,
      mcpServer: staged,
      toolName,
      log: options.createLog(toolName),
    });
  });
  if (staged.tools.length === 0) {
    throw new TypeError("Cannot load the module: it registered no tool, call mcpServer.tool()");
  }
  return staged.tools;
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

function defaultExport(module: unknown): ToolModule {
  if (typeof module === "object" && module !== null && "default" in module) {
    if (isToolModule(module.default)) return module.default;
  }
  throw new TypeError("Cannot load the module: its default export is not a function");
}

function isToolModule(value: unknown): value is ToolModule {
  return typeof value === "function";
}

function addTools(
  registry: ToolRegistry,
  staged: PromiseSettledResult<readonly RegisteredTool[]> | undefined,
): string | undefined {
  try {
    if (staged?.status === "rejected") throw staged.reason;
    registry.add(staged?.value ?? []);
    return undefined;
  } catch (error) {
    return messageOf(error).split("\n", 1)[0];
  }
}

async function inTime(timeoutMs: number, work: () => Promise<void>): Promise<void> {
  using deadline = firstOf({ timeoutMs });
  const late = deadline.expired.then(() => {
    throw new RangeError(`Cannot load the module: it took more than ${timeoutMs} ms`);
  });
  await Promise.race([work(), late]);
}

import { pathToFileURL } from "node:url";
import { firstOf } from "../../shared/deadline.ts";
import { messageOf } from "../../shared/error.ts";
import type { Log } from "../../shared/log.ts";
import type { ToolContext, ToolModule } from "../module.ts";
import { StagedRegistrar } from "../registry.ts";
import type { RegisteredTool } from "../tool.ts";
import { ensureModuleFile, type ToolFile } from "./tool_files.ts";

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
  },
): Promise<LoadedModule> {
  const staged = new StagedRegistrar(toolName);
  const hooks: ShutdownHook[] = [];
  const { limits: { toolLoadMs } } = options.context;
  await inTime(toolLoadMs, async () => {
    await ensureModuleFile(file);
    const module: unknown = await import(pathToFileURL(options.path ?? file).href);
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

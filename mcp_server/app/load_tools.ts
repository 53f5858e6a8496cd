import { type Config, ConfigError } from "../settings/config.ts";
import { messageOf } from "../shared/error.ts";
import type { LoadReport, Meter, ReloadReport, ReloadTools } from "../tool/service.ts";
import { ToolRegistry } from "../tool/registry.ts";
import { matchesWildcard } from "../shared/wildcard.ts";
import { watchFolders } from "../tool/loading/folder_watch.ts";
import { ToolFolders } from "../tool/loading/tool_folders.ts";
import { builtInTools } from "./built_in_tools.ts";
import type { Logs } from "./open_logs.ts";

/** The tools of a server. */
export interface LoadedTools {
  readonly registry: ToolRegistry;
  readonly reports: readonly LoadReport[];
  readonly reload: ReloadTools;
  /** Calls a listener after each reload that changed a definition, until it is disposed of. */
  readonly onChanged: (listener: () => void) => Disposable;
  /** Ends the watch of the folders. */
  readonly unwatch: () => void;
  /** Runs the shutdown hooks of the tools. */
  readonly close: () => Promise<void>;
}

/**
 * Loads the tools of the config, after those that come with the server if `builtIn`, which a server that
 * is not only checked loads one by one, as they are asked for. Rejects with a
 * `ConfigError` if a folder of the config can't be read; the shutdown hooks of those that were loaded
 * have run then.
 */
export async function loadTools(
  { action, limits, env, toolFolders, watchTools, ownRights }: Config,
  builtIn: boolean,
  logs: Logs,
  meter: Meter,
): Promise<LoadedTools> {
  const registry = new ToolRegistry();
  const listeners = new Set<() => void>();
  const fixed = builtIn ? await builtInTools() : [];
  const tools = new ToolFolders({ fixed, folders: toolFolders }, {
    registry,
    log: logs.log,
    context: { limits, env: (name) => env[name], envNames: Object.keys(env) },
    createLog: logs.createToolLog,
    isWatched: watchTools,
    loadsAll: action === "check",
    onChange: () => listeners.forEach((listener) => listener()),
    onReloaded: (reports) => countReload(reports, meter),
  });
  const reports = await loadAll(tools, ownRights?.tools);
  const watch = watchTools ? startWatch(tools, toolFolders, logs.log) : undefined;
  return {
    registry,
    reports,
    reload: () => tools.reload(),
    onChanged: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    unwatch: () => watch?.[Symbol.dispose](),
    close: () => tools.close(),
  };
}

function countReload(reports: readonly ReloadReport[], meter: Meter): void {
  for (const outcome of ["loaded", "kept"] as const) {
    meter.reloaded(outcome, reports.filter(({ state }) => state === outcome).length);
  }
}

/** Loads the tools, among which each pattern must name one. */
async function loadAll(
  tools: ToolFolders,
  patterns: readonly string[] = [],
): Promise<LoadReport[]> {
  try {
    const reports = await tools.load();
    ensureNamed(patterns, reports.map(({ toolName }) => toolName));
    return reports;
  } catch (cause) {
    await tools.close();
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError(`Cannot use MCP_TOOLS_DIR: ${messageOf(cause)}`, { cause });
  }
}

function ensureNamed(patterns: readonly string[], names: readonly string[]): void {
  const idle = patterns.find((pattern) => !names.some((name) => matchesWildcard(name, pattern)));
  if (idle === undefined) return;
  throw new ConfigError(
    `Cannot use MCP_ONLY "${idle}": it names no tool; the tools are ${names.join(", ")}`,
  );
}

function startWatch(tools: ToolFolders, folders: readonly string[], log: Logs["log"]): Disposable {
  const onChange = () =>
    tools.reload().then(() => {}, (error) => {
      log.warn("tools can't be reloaded", { reason: messageOf(error) });
    });
  return watchFolders({ folders, files: () => tools.files, onChange, log });
}

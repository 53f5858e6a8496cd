import { resolve } from "node:path/posix";
import { ToolError } from "../shared/error.ts";
import type { ExecutionResult } from "../tool/command.ts";
import type { ToolContext, ToolExtra } from "../tool/tool.ts";
import { buildResponse } from "../tool/result.ts";
import {
  outputBoundsOf,
  ResultBudget,
  type ToJobAnswer,
  withJobOfRest,
} from "../tool/command_output.ts";
import { ensureFolders } from "../files/bound_folder.ts";
import {
  commandKeys,
  exactText,
  EXECUTION_RESULT,
  runLimits,
  timeoutChoice,
  TOOL_ICONS,
} from "./definition_parts.ts";
import { type CommandOptions, runCommand } from "./run_command.ts";
import {
  createScriptFolder,
  findPassableFolder,
  findPrivateFolder,
  removeAbandonedScripts,
  type ScriptFolder,
  sharedFolderAbove,
} from "./script_folder.ts";

/** An interpreter of scripts. */
export interface Interpreter {
  /** Program name or path. */
  readonly program: string;
  /**
   * Arguments before the script's file, or a function that creates them from the script's folder.
   */
  readonly args?: readonly string[] | ((folder: string) => readonly string[]);
  /** Variables that override those of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further files of the script's folder by name, such as settings that end a search for others. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * For an interpreter that loads modules from all folders above a script, where other users of the
   * temporary folder may have put some. `"hidden"`: it gets a path of the script in `/proc`, above
   * which they are not. `"private"`: it runs only where no other user can write to these folders, if
   * need be outside the temporary folder.
   */
  readonly foldersAbove?: "hidden" | "private";
}

/** A tool that runs scripts of one language. */
export interface ScriptTool {
  /** The language, as people write it. */
  readonly language: string;
  /** Name of the script's file, by whose extension interpreters know its type. */
  readonly fileName: string;
  /** What may run the script; the first one on PATH is used. */
  readonly interpreters: readonly Interpreter[];
  /** How to install the interpreter, for the message that it is missing. */
  readonly install: string;
  /** A sentence after the common description. */
  readonly note?: string;
}

/**
 * Registers a tool that runs scripts of one language. A script is run from a file of mode 0600 in a
 * folder of mode 0700, byte for byte as it was sent; both are removed when the script has ended.
 * Resolves once the scripts are removed that a killed server left.
 *
 * @example
 * ```ts
 * import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";
 *
 * export default ((context) =>
 *   registerScriptTool(context, {
 *     language: "Ruby",
 *     fileName: "script.rb",
 *     interpreters: [{ program: "ruby" }],
 *     install: "apt-get install ruby",
 *   })) satisfies ToolModule;
 * ```
 */
export async function registerScriptTool(context: ToolContext, tool: ScriptTool): Promise<void> {
  const { mcpServer, toolName, log } = context;
  const { language, note } = tool;
  const temp = resolve(context.env("TMPDIR") || "/tmp");
  mcpServer.registerTool(toolName, {
    title: `Run a ${language} script`,
    icons: TOOL_ICONS.script,
    execution: { taskSupport: "optional" },
    description: `Run a ${language} script on the server's host.${note ? ` ${note}` : ""} ` +
      "For one command use exec-command.",
    inputSchema: {
      script: exactText(),
      ...commandKeys(),
      ...runLimits(context.limits),
      ...timeoutChoice(),
    },
    outputSchema: EXECUTION_RESULT,
    annotations: {
      title: `Run a ${language} script`,
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ script, secrets, onTimeout, ...asked }, extra) => {
    const { caller, user, signal } = extra;
    const options = { ...asked, env: { ...asked.env, ...extra.secrets.env(secrets, asked.env) } };
    const { HOME: home = extra.home } = asked.env ?? {};
    await ensureFolders([options.cwd], { caller, user, signal, home });
    const { characters } = outputBoundsOf(options.maxOutputBytes, extra, context.limits);
    const maxResultBytes = new ResultBudget(characters, 1).next;
    await using folder = await createScriptFolder(temp, log, user);
    await folder.write(tool.fileName, script);
    const createPrivate = async () => {
      const parent = await (user ? findPassableFolder() : findPrivateFolder(context.env));
      if (parent === undefined) return undefined;
      await removeAbandonedScripts(parent, log);
      return await createScriptFolder(parent, log, user);
    };
    const goOn: ToJobAnswer = (running, job) => ({ ...running, job });
    const bounded = { ...options, maxResultBytes, onTimeout: onTimeout && goOn };
    const call = { script, extra, options: bounded, createPrivate };
    const results = await withJobOfRest([await interpret(tool, folder, call)], extra);
    return buildResponse({ ...results[0] });
  });
  await removeAbandonedScripts(temp, log);
}

interface ScriptCall {
  readonly script: string;
  readonly extra: ToolExtra;
  readonly options: CommandOptions;
  /** Creates a folder above which other users can't write; `undefined` if there is no such place. */
  readonly createPrivate: () => Promise<ScriptFolder | undefined>;
}

async function interpret(
  tool: ScriptTool,
  folder: ScriptFolder,
  call: ScriptCall,
): Promise<ExecutionResult> {
  const { language, fileName, interpreters, install } = tool;
  for (const interpreter of interpreters) {
    try {
      if (!isKeptPrivate(interpreter, call)) {
        return await runIn(folder, { ...interpreter, fileName }, call);
      }
      await using own = await leaveShared(folder, interpreter, call);
      await own?.write(fileName, call.script);
      return await runIn(own ?? folder, { ...interpreter, fileName }, call);
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "PROGRAM_NOT_FOUND") throw error;
    }
  }
  const names = interpreters.map(({ program }) => program).join(" or ");
  throw new ToolError(
    `Cannot run a ${language} script: no ${names} on the server's PATH; install it with: ${install}`,
    { code: "INTERPRETER_MISSING" },
  );
}

/** Another user's processes can't open the path in `/proc`, which is one of the server's. */
function isKeptPrivate({ foldersAbove }: Interpreter, { extra }: ScriptCall): boolean {
  return foldersAbove === "private" || (foldersAbove === "hidden" && extra.user !== undefined);
}

async function runIn(
  folder: ScriptFolder,
  interpreter: Interpreter & { readonly fileName: string },
  { extra, options }: ScriptCall,
): Promise<ExecutionResult> {
  const { program, args = [], env, files = {}, foldersAbove, fileName } = interpreter;
  const given = typeof args === "function" ? args(folder.path) : args;
  const isHidden = foldersAbove === "hidden" && extra.user === undefined;
  const path = isHidden ? await folder.openHandle() : folder.path;
  for (const [name, text] of Object.entries(files)) await folder.write(name, text);
  const variables = { ...options.env, ...env };
  return await runCommand([program, ...given, `${path}/${fileName}`], extra, {
    ...options,
    env: variables,
  });
}

/** Creates another folder if other users can write above this one; rejects if there is no other. */
async function leaveShared(
  { path }: ScriptFolder,
  { program }: Interpreter,
  { extra, createPrivate }: ScriptCall,
): Promise<ScriptFolder | undefined> {
  const shared = await sharedFolderAbove(path);
  if (shared === undefined) return undefined;
  const folder = await createPrivate();
  if (folder !== undefined) return folder;
  // One that is missing is reported as missing.
  await runCommand([program, "--version"], extra);
  throw new ToolError(
    `Cannot run a script with "${program}": other users can write to ${JSON.stringify(shared)}, ` +
      "and it loads modules from all folders above a script; set TMPDIR to a private folder",
    { code: "TEMP_FOLDER_SHARED" },
  );
}

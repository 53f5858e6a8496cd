import * as z from "zod";
import type { ExecutionResult } from "../domain/command.ts";
import { ToolError } from "../domain/error.ts";
import type { ToolContext } from "../domain/module.ts";
import { buildResponse } from "../domain/result.ts";
import { ResultBudget } from "../domain/result_budget.ts";
import type { ToolExtra } from "../domain/tool.ts";
import { EXECUTION_RESULT, plainText, runLimits } from "./execution_schema.ts";
import { type CommandOptions, runCommand } from "./run_command.ts";

/** An interpreter of scripts. */
export interface Interpreter {
  /** Program name or path. */
  readonly program: string;
  /** Arguments that stand before the script's file. */
  readonly args?: readonly string[];
}

/** A tool that runs scripts of one language. */
export interface ScriptTool {
  /** The language, as people write it. */
  readonly language: string;
  /** Name of the script's file; interpreters tell by its ending what it is. */
  readonly fileName: string;
  /** What may run the script; the first that is on PATH does. */
  readonly interpreters: readonly Interpreter[];
  /** How the interpreter is installed, for the one who reads that it is missing. */
  readonly install: string;
  /** A sentence that stands behind the common description. */
  readonly note?: string;
}

/**
 * Registers a tool that runs scripts of one language. A script is run from a file of mode 0600 in a
 * folder of mode 0700, byte for byte as it was sent; both are removed when the script has ended.
 *
 * @example
 * ```ts
 * import { registerScriptTool, type ToolModule } from "@trestle/mcp-server/toolkit";
 *
 * const register: ToolModule = (context) =>
 *   registerScriptTool(context, {
 *     language: "Ruby",
 *     fileName: "script.rb",
 *     interpreters: [{ program: "ruby" }],
 *     install: "apt-get install ruby",
 *   });
 * export default register;
 * ```
 */
export function registerScriptTool(context: ToolContext, tool: ScriptTool): void {
  const { mcpServer, toolName } = context;
  const { language, note } = tool;
  mcpServer.registerTool(toolName, {
    title: `Run a ${language} script`,
    description: `Run a ${language} script on the server's host.${note ? ` ${note}` : ""}`,
    inputSchema: {
      script: z.string(),
      cwd: plainText("Working folder").optional(),
      stdin: z.string().optional(),
      ...runLimits(context.limits),
    },
    outputSchema: EXECUTION_RESULT,
    annotations: {
      title: `Run a ${language} script`,
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ script, ...options }, extra) => {
    const maxResultBytes = new ResultBudget(context.limits.maxResultBytes, 1).next;
    return buildResponse(
      await withScriptFile(tool.fileName, script, (file) => {
        return interpret(tool, file, { extra, options: { ...options, maxResultBytes } });
      }),
    );
  });
}

async function withScriptFile<Result>(
  name: string,
  script: string,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir({ prefix: "trestle-" });
  try {
    const file = `${folder}/${name}`;
    await Deno.writeTextFile(file, script, { mode: 0o600, createNew: true });
    return await use(file);
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(ignoreNotFound);
  }
}

/** A script may remove its own folder. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

async function interpret(
  { language, interpreters, install }: ScriptTool,
  file: string,
  { extra, options }: { extra: ToolExtra; options: CommandOptions },
): Promise<ExecutionResult> {
  for (const { program, args = [] } of interpreters) {
    try {
      return await runCommand([program, ...args, file], extra, options);
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

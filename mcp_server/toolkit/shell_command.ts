import type { ExecutionResult } from "../domain/command.ts";
import { ToolError } from "../domain/error.ts";
import type { ToolExtra } from "../domain/tool.ts";
import { type CommandOptions, runCommand } from "./run_command.ts";

/** Shells by preference; each host has the last. */
const SHELLS = ["bash", "sh"] as const;

/**
 * Runs a text as a command of the shell: bash, or sh if there is no bash. Otherwise behaves like
 * `runCommand()`.
 */
export async function runShellCommand(
  text: string,
  extra: ToolExtra,
  options: CommandOptions = {},
): Promise<ExecutionResult> {
  const [preferred, fallback] = SHELLS;
  try {
    return await runCommand([preferred, "-c", "--", text], extra, options);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "PROGRAM_NOT_FOUND") throw error;
    return await runCommand([fallback, "-c", "--", text], extra, options);
  }
}

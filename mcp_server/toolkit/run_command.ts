import type {
  CommandSpec,
  EndedCommand,
  ExecutionResult,
  OutputEvent,
  OutputSoFar,
} from "../tool/command.ts";
import { ToolError } from "../shared/error.ts";
import type { ToolExtra } from "../tool/tool.ts";
import { bindFolder } from "../files/bound_folder.ts";
import {
  goOnAsJob,
  outputBoundsOf,
  type ToJobAnswer,
  withTimeoutHint,
} from "../tool/command_output.ts";

/** Options of a command in addition to its program and arguments. */
export type CommandOptions = Omit<CommandSpec, "program" | "args" | "holdCwd"> & {
  /** Position of the command in a call that runs several, reported with its output. */
  readonly command?: number;
  /**
   * Lets the call go on as a job when the time-out is over, and creates its answer.
   * @default {the command is stopped}
   */
  readonly onTimeout?: ToJobAnswer | undefined;
};

/**
 * Runs a program for a tool call, without a shell. It is stopped, with every process it started,
 * when its time-out passes or the call is stopped; clients that watch the call see its output.
 *
 * Resolves for any exit code, and if the time-out stopped the program (`timedOut: true`). Rejects
 * with a `ToolError` if the program or the folder is missing, and with a `NotAllowedError` if the
 * caller may not use the folder.
 *
 * @example
 * ```ts
 * import { buildResponse, runCommand, type ToolModule, z } from "@trestle/mcp-server/toolkit";
 *
 * export default (({ mcpServer, toolName }) => {
 *   const host = z.string().regex(/^[a-z0-9.]+$/);
 *   mcpServer.tool(toolName, "Ping a host once.", { host }, async ({ host }, extra) => {
 *     const result = await runCommand(["ping", "-c", "1", host], extra, { timeoutMs: 5_000 });
 *     return buildResponse(result);
 *   });
 * }) satisfies ToolModule;
 * ```
 */
export async function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  extra: ToolExtra,
  options: CommandOptions = {},
): Promise<ExecutionResult> {
  const { command: at, onTimeout: toAnswer, ...asked } = options;
  const { timeoutMs, maxOutputBytes } = asked;
  const { outputBytes } = outputBoundsOf(maxOutputBytes, extra, extra.limits);
  const spec = { ...asked, maxOutputBytes: outputBytes };
  let refusal: string | undefined;
  const goesOn = async (soFar: OutputSoFar) => {
    const running = { ...soFar, timedOut: false, running: true } as const;
    refusal = await goOnAsJob(extra, (job) => toAnswer?.(running, job) ?? {});
    return refusal === undefined;
  };
  const onOutput = (event: OutputEvent) =>
    extra.output(at === undefined ? event : { ...event, command: at });
  const whole = { ...spec, program, args };
  const command = spec.cwd === undefined ? whole : bindFolder(whole, extra);
  const onTimeout = toAnswer && goesOn;
  const onEnd = (ended: EndedCommand) => extra.commandEnded(ended);
  const { signal } = extra;
  const result = await extra.commands.run(command, { signal, onOutput, onTimeout, onEnd });
  return withTimeoutHint(result, { timeoutMs, refusal, extra });
}

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

import { type Caller, DEFAULT_CALLER } from "../access/caller.ts";
import { type CallerSecrets, NO_SECRETS } from "../access/caller_secrets.ts";
import type { CommandRunner, CommandSpec, OutputEvent } from "../tool/command.ts";
import { ToolError } from "../shared/error.ts";
import type { JsonObject } from "../shared/json.ts";
import { defaultLimits, type Limits } from "../shared/limits.ts";
import type { RegisteredTool, ToolContext, ToolExtra, ToolModule } from "../tool/tool.ts";
import {
  type Content,
  type Refusal,
  type RefusalCode,
  textOf,
  type ToolResult,
} from "../tool/result.ts";
import { StagedRegistrar } from "../tool/registry.ts";
import type { Issue } from "../tool/schema.ts";
import { NO_JOBS } from "./no_jobs.ts";

/** The outcome of a call: the tool's output object, or why there is none. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: JsonObject; readonly content: readonly Content[] }
  | { readonly ok: false; readonly refusal: Refusal };

/** Options of a call. */
export interface CallToolOptions {
  /** Who calls. @default {a caller that may do everything} */
  readonly caller?: Caller;
  /** Stops the call. @default {a signal that never aborts} */
  readonly signal?: AbortSignal;
  /** The secrets that the caller may use. @default {none} */
  readonly secrets?: CallerSecrets;
  /** Limits that override the defaults. */
  readonly limits?: Partial<Limits>;
  /** Runs the tool's commands. @default {a runner that rejects every command} */
  readonly commands?: CommandRunner;
  /** The server's environment. @default {empty} */
  readonly env?: Readonly<Record<string, string>>;
  /** What commands have as `$HOME`. @default {`HOME` of the environment} */
  readonly home?: string;
  /** Called with the output of the call's commands. @default {nothing} */
  readonly onOutput?: (event: OutputEvent) => void;
  /** Receives what the tool registers for the server's shutdown. @default {it is never called} */
  readonly onShutdown?: ToolContext["onShutdown"];
}

/**
 * Calls one tool as the server does, without a server: registers the module, checks the arguments,
 * runs the tool and checks its output. Rejects if the tool crashes or breaks its output schema. A
 * tool that ignores its signal still answers, so that a test sees it.
 */
export async function callTool(
  module: ToolModule,
  toolName: string,
  args: unknown,
  options: CallToolOptions = {},
): Promise<ToolOutcome> {
  const { home = options.env?.HOME } = options;
  const tool = await registerTool(module, toolName, options);
  return await callRegisteredTool(tool, args, {
    ...options,
    ...(home === undefined ? {} : { home }),
  });
}

/** Calls a registered tool, as `callTool()` does; for tools that keep state between calls. */
export async function callRegisteredTool(
  tool: RegisteredTool,
  args: unknown,
  options: Omit<CallToolOptions, "env" | "onShutdown"> = {},
): Promise<ToolOutcome> {
  const { signal = new AbortController().signal, commands = NO_COMMANDS, limits = {} } = options;
  const { caller = DEFAULT_CALLER, onOutput = ignore } = options;
  const input = await tool.validate(args);
  if (!input.ok) {
    return refuse("INVALID_ARGUMENTS", describe(input.issues), { issues: input.issues });
  }
  try {
    const result = await tool.run(input.value, {
      ...toExtra({ caller, signal, commands, limits }),
      home: options.home,
      secrets: options.secrets ?? NO_SECRETS,
      output: onOutput,
    });
    return await toOutcome(tool, result);
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      return refuse("CANCELLED", "The call was cancelled");
    }
    if (error instanceof ToolError) {
      return refuse("TOOL_FAILED", error.message, { code: error.code });
    }
    throw error;
  }
}

/** Returns the output object of a call that was carried out; throws if the call was rejected. */
export function outputOf(outcome: ToolOutcome): JsonObject {
  if (outcome.ok) return outcome.output;
  throw new TypeError(`Cannot use the output: ${outcome.refusal.code}, ${outcome.refusal.message}`);
}

/** Returns the refusal of a call; throws if the call was carried out. */
export function refusalOf(outcome: ToolOutcome): Refusal {
  if (!outcome.ok) return outcome.refusal;
  throw new TypeError(
    `Cannot use the refusal: the tool answered ${JSON.stringify(outcome.output)}`,
  );
}

/** Registers one tool module as the server does, with a silent log. */
export async function registerTool(
  module: ToolModule,
  toolName: string,
  options: Pick<CallToolOptions, "limits" | "env" | "onShutdown"> = {},
): Promise<RegisteredTool> {
  const { limits = {}, env = {}, onShutdown = ignore } = options;
  const mcpServer = new StagedRegistrar(toolName);
  await module({
    mcpServer,
    toolName,
    log: SILENT,
    limits: { ...defaultLimits(2), ...limits },
    env: (name) => Object.hasOwn(env, name) ? env[name] : undefined,
    envNames: Object.keys(env),
    onShutdown,
  });
  const [tool] = mcpServer.tools;
  if (tool === undefined) throw new TypeError(`Cannot call "${toolName}": it was not registered`);
  return tool;
}

const ignore = () => {};
const SILENT = Object.freeze({ debug: ignore, info: ignore, warn: ignore, error: ignore });

const NO_COMMANDS: CommandRunner = Object.freeze({
  run: ({ program }: CommandSpec) =>
    Promise.reject(new ToolError(`Cannot run "${program}": no runner is given`)),
});

function toExtra(
  { caller, signal, commands, limits }: Required<
    Pick<CallToolOptions, "caller" | "signal" | "commands" | "limits">
  >,
): ToolExtra {
  return {
    signal,
    commands,
    caller,
    jobs: NO_JOBS,
    secrets: NO_SECRETS,
    limits: { ...defaultLimits(2), ...limits },
    requestId: "test",
    progress: ignore,
    output: ignore,
    commandEnded: ignore,
    ask: () => Promise.reject(new ToolError("Cannot ask the user: the test gives none")),
    sendNotification: () => Promise.resolve(),
  };
}

async function toOutcome(tool: RegisteredTool, result: ToolResult): Promise<ToolOutcome> {
  if (result.isError === true) return refuse("TOOL_FAILED", textOf(result));
  const { structuredContent: output = {} } = result;
  const checked = await tool.validateOutput?.(output) ?? { ok: true, value: output };
  if (checked.ok) return { ok: true, output, content: result.content };
  throw new TypeError(
    `Cannot answer for the tool: its output is wrong, ${describe(checked.issues)}`,
  );
}

function refuse(kind: RefusalCode, message: string, more: Partial<Refusal> = {}): ToolOutcome {
  return { ok: false, refusal: { kind, code: kind, message, ...more } };
}

function describe(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}

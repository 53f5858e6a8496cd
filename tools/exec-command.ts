import {
  ArgumentsError,
  buildResponse,
  BusyError,
  type CommandKeys,
  commandKeys,
  ensureFolders,
  EXECUTION_RESULT,
  type ExecutionResult,
  expandHome,
  filledText,
  jsonTextLength,
  jsonTextStart,
  namesOfSecrets,
  outputBoundsOf,
  ResultBudget,
  runLimits,
  runShellCommand,
  timeoutChoice,
  type ToJobAnswer,
  TOOL_ICONS,
  ToolError,
  type ToolModule,
  withJobOfRest,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_COMMANDS = 100;
/** The exit code of shells for a command that can't be executed (POSIX.1-2024, shell, 2.8.2). */
const CANNOT_EXECUTE = 126;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  mcpServer.registerTool(toolName, {
    title: "Run shell commands",
    icons: TOOL_ICONS.command,
    execution: { taskSupport: "optional" },
    description:
      "Run a shell command (bash, else sh) on the server's host, or several in order: each starts " +
      "afresh (put `cd x && make` into one), also after one that fails. For many lines use the " +
      "script tools.",
    inputSchema: {
      command: filledText("Shell command").optional(),
      ...commandKeys(),
      secrets: namesOfSecrets("Names, to have their values as variables"),
      commands: z.array(z.strictObject({ command: filledText(), ...commandKeys() })).min(1)
        .max(MOST_COMMANDS).optional().describe("Several, in place of command"),
      ...runLimits(limits),
      ...timeoutChoice("Then go on as a job"),
    },
    outputSchema: { results: z.array(z.object(EXECUTION_RESULT)) },
    annotations: {
      title: "Run shell commands",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ timeoutMs, maxOutputBytes, onTimeout, ...asked }, extra) => {
    const commands = commandsOf(asked).map(({ secrets = [], ...one }): Command =>
      secrets.length === 0
        ? one
        : { ...one, env: { ...one.env, ...extra.secrets.env(secrets, one.env) } }
    );
    const folders = commands.flatMap(({ cwd, env }) =>
      cwd === undefined ? [] : expandHome(cwd, { home: env?.HOME ?? extra.home })
    );
    if (folders.length > 0) await ensureFolders(folders, extra);
    const results: ExecutionResult[] = [];
    const goOn: ToJobAnswer = (running, job) => ({ results: [...results, running], job });
    const { characters } = outputBoundsOf(maxOutputBytes, extra, limits);
    const budget = new ResultBudget(characters, commands.length);
    for (const [at, { command, ...options }] of commands.entries()) {
      const bounds = {
        timeoutMs,
        maxOutputBytes,
        maxResultBytes: budget.next,
        onTimeout: onTimeout && goOn,
      };
      const run = runShellCommand(command, extra, { ...options, ...bounds, command: at });
      const onFault = (error: unknown) =>
        toResult(error, bounds.maxResultBytes, (text) => {
          extra.output({ stream: "stderr", text, command: at });
        });
      const result = await (commands.length === 1 ? run : run.catch(onFault));
      results.push(result);
      const { stdout, stderr, hint = "" } = result;
      budget.spend(jsonTextLength(stdout) + jsonTextLength(stderr) + jsonTextLength(hint));
    }
    return buildResponse({ results: await withJobOfRest(results, extra) });
  });
};

/** A command, and how it runs. */
interface Command extends CommandKeys {
  readonly command: string;
}

/** The commands of a call; the folder and the variables of the call are those of each without its own. */
function commandsOf(
  { command, commands, ...common }: CommandKeys & {
    readonly command?: string | undefined;
    readonly commands?: readonly Command[] | undefined;
  },
): readonly Command[] {
  if ((command === undefined) === (commands === undefined)) {
    throw wrong("commands", 'use "command", or "commands" for several');
  }
  if (command !== undefined) return [{ ...common, command }];
  if (common.stdin !== undefined) {
    throw wrong("stdin", 'put "stdin" to the command that is to read it');
  }
  return (commands ?? []).map((one) => ({
    ...one,
    cwd: one.cwd ?? common.cwd,
    env: { ...common.env, ...one.env },
    secrets: [...common.secrets ?? [], ...one.secrets ?? []],
  }));
}

function wrong(argument: string, what: string): ArgumentsError {
  return new ArgumentsError(`Cannot run commands: ${what}`, { argument });
}

/** Among several commands, one that can't start must not take away the results of the others. */
function toResult(
  error: unknown,
  most: number,
  report: (text: string) => void,
): ExecutionResult {
  if (!(error instanceof ToolError) || error instanceof BusyError) throw error;
  const { message } = error;
  report(`${message}\n`);
  const stderr = jsonTextStart(message, most);
  return {
    stdout: "",
    stderr,
    exitCode: CANNOT_EXECUTE,
    timedOut: false,
    ...(stderr !== message && { truncated: true }),
  };
}

export default register;

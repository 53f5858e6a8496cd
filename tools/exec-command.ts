import {
  buildResponse,
  BusyError,
  ensureFolders,
  EXECUTION_RESULT,
  type ExecutionResult,
  expandHome,
  filledText,
  jsonTextLength,
  plainText,
  ResultBudget,
  runLimits,
  runShellCommand,
  ToolError,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_COMMANDS = 100;
/** The exit code of shells for a command that can't be executed (POSIX.1-2024, shell, 2.8.2). */
const CANNOT_EXECUTE = 126;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  mcpServer.registerTool(toolName, {
    title: "Run shell commands",
    execution: { taskSupport: "optional" },
    description:
      "Run shell commands (bash, else sh) in order on the server's host. One that fails " +
      "does not stop those after it, and each starts afresh: put `cd x && make` into one command.",
    inputSchema: {
      commands: z.array(z.strictObject({
        command: filledText("Shell command"),
        cwd: plainText("Working folder").optional(),
        env: z.record(variableName(), plainText()).optional()
          .describe("Further environment variables"),
      })).min(1).max(MOST_COMMANDS),
      ...runLimits(limits),
    },
    outputSchema: { results: z.array(z.object(EXECUTION_RESULT)) },
    annotations: {
      title: "Run shell commands",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ commands, ...wishes }, extra) => {
    const folders = commands.map(({ cwd, env }) =>
      cwd === undefined ? cwd : expandHome(cwd, { home: env?.HOME ?? extra.home })
    );
    await ensureFolders(folders, extra);
    const results: ExecutionResult[] = [];
    const budget = new ResultBudget(limits.maxResultBytes, commands.length);
    for (const [at, { command, ...options }] of commands.entries()) {
      const bounds = { ...wishes, maxResultBytes: budget.next };
      const run = runShellCommand(command, extra, { ...options, ...bounds, command: at });
      const onFault = (error: unknown) =>
        toResult(error, (text) => {
          extra.output({ stream: "stderr", text, command: at });
        });
      const result = await (commands.length === 1 ? run : run.catch(onFault));
      results.push(result);
      budget.spend(jsonTextLength(result.stdout) + jsonTextLength(result.stderr));
    }
    return buildResponse({ results });
  });
};

/** A valid name of an environment variable. */
function variableName() {
  return filledText().refine((name) => !name.includes("="), {
    error: "must be the name of a variable",
  });
}

/** Among several commands, one that can't start must not take away the results of the others. */
function toResult(error: unknown, report: (text: string) => void): ExecutionResult {
  if (!(error instanceof ToolError) || error instanceof BusyError) throw error;
  report(`${error.message}\n`);
  return { stdout: "", stderr: error.message, exitCode: CANNOT_EXECUTE, timedOut: false };
}

export default register;

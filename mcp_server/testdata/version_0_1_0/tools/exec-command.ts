import {
  buildResponse,
  BusyError,
  EXECUTION_RESULT,
  type ExecutionResult,
  plainText,
  runLimits,
  runShellCommand,
  ToolError,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_COMMANDS = 100;
/** What shells answer for a command that can't be executed (POSIX.1-2024, shell, 2.8.2). */
const CANNOT_EXECUTE = 126;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  mcpServer.registerTool(toolName, {
    title: "Run shell commands",
    description:
      "Run shell commands (bash, else sh) in order on the server's host. One that fails " +
      "does not stop those after it, and each starts afresh: put `cd x && make` into one command.",
    inputSchema: {
      commands: z.array(z.strictObject({
        command: plainText("Shell command").min(1),
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
    const results: ExecutionResult[] = [];
    for (const [at, { command, ...options }] of commands.entries()) {
      const run = runShellCommand(command, extra, { ...options, ...wishes, command: at });
      results.push(await (commands.length === 1 ? run : run.catch(toResult)));
    }
    return buildResponse({ results });
  });
};

/** A name that an environment can hold. */
function variableName() {
  return plainText().refine((name) => name !== "" && !name.includes("="), {
    error: "must be the name of a variable",
  });
}

/** Among several commands, one that can't start must not take away the results of the others. */
function toResult(error: unknown): ExecutionResult {
  if (!(error instanceof ToolError) || error instanceof BusyError) throw error;
  return { stdout: "", stderr: error.message, exitCode: CANNOT_EXECUTE, timedOut: false };
}

export default register;

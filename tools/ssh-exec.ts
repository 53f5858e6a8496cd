import {
  buildResponse,
  createSshRunner,
  exactText,
  filledText,
  HOST_RESULT,
  hostText,
  namesOfSecrets,
  plainText,
  runLimits,
  timeoutChoice,
  TOOL_ICONS,
  type ToolModule,
  userText,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_HOSTS = 256;
const MOST_COMMANDS = 100;
const MOST_STDIN = 1024 * 1024;
/** A name that shells can assign (POSIX.1-2024, 3.216). */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const register: ToolModule = (context) => {
  const { mcpServer, toolName, limits } = context;
  const run = createSshRunner(context);
  mcpServer.registerTool(toolName, {
    title: "Run over SSH",
    icons: TOOL_ICONS.ssh,
    execution: { taskSupport: "optional" },
    description: "Run commands on hosts, in order; hosts in parallel.",
    inputSchema: {
      connections: z.array(z.strictObject({
        host: hostText().describe("Alias or name[:port]"),
        username: userText().optional(),
        commands: z.array(filledText()).min(1).max(MOST_COMMANDS),
        cwd: filledText("Folder; ~ is its home").optional(),
        env: z.record(z.string().regex(VARIABLE), plainText()).optional(),
        secrets: namesOfSecrets(),
        stdin: inputText().optional().describe("For each command"),
        stopOnError: z.boolean().optional(),
      })).min(1).max(MOST_HOSTS),
      ...runLimits(limits),
      ...timeoutChoice(),
    },
    outputSchema: { results: z.array(z.object(HOST_RESULT)) },
    annotations: {
      title: "Run over SSH",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ connections, ...options }, extra) => {
    return buildResponse({ results: await run(connections, extra, options) });
  });
};

/** The standard input of a command; its bound is beyond what most callers may send at all. */
function inputText() {
  return exactText().refine((text) => text.length <= MOST_STDIN, {
    error: `must have at most ${MOST_STDIN} characters; use ssh-copy for files`,
  });
}

export default register;

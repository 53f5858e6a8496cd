import {
  buildResponse,
  createSshRunner,
  HOST_RESULT,
  hostText,
  plainText,
  runLimits,
  type ToolModule,
  userText,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_HOSTS = 256;
const MOST_COMMANDS = 100;

const register: ToolModule = (context) => {
  const { mcpServer, toolName, limits } = context;
  const run = createSshRunner(context);
  mcpServer.registerTool(toolName, {
    title: "Run over SSH",
    description: "Run shell commands on other hosts, in order; hosts in parallel. " +
      "A failed host has error {phase, message}.",
    inputSchema: {
      connections: z.array(z.strictObject({
        host: hostText().describe("Alias or name[:port]"),
        username: userText().optional(),
        commands: z.array(plainText().min(1)).min(1).max(MOST_COMMANDS),
      })).min(1).max(MOST_HOSTS),
      ...runLimits(limits),
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

export default register;

import {
  buildResponse,
  createSshCopier,
  expandHome,
  TOOL_ICONS,
  type ToolModule,
  userText,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_HOSTS = 256;

const register: ToolModule = (context) => {
  const { mcpServer, toolName } = context;
  const copy = createSshCopier(context);
  mcpServer.registerTool(toolName, {
    title: "Copy over SSH",
    icons: TOOL_ICONS.copy,
    description: "Copy a file to or from hosts. From several, it is <to>/<host>/<name>. " +
      "A result has host, path, bytes and sha256, or error.",
    inputSchema: {
      direction: z.enum(["up", "down"]),
      from: z.string(),
      to: z.string(),
      connections: z.array(z.strictObject({
        host: z.string(),
        username: userText().optional(),
      })).min(1).max(MOST_HOSTS),
      timeoutMs: wholeNumber(1).optional(),
    },
    outputSchema: { results: z.array(z.looseObject({})) },
    annotations: {
      title: "Copy over SSH",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    },
  }, async ({ direction, from, to, ...more }, extra) => {
    const local = direction === "up"
      ? { from: expandHome(from, extra), to }
      : { from, to: expandHome(to, extra) };
    return buildResponse({ results: await copy({ direction, ...local, ...more }, extra) });
  });
};

export default register;

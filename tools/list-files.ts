import {
  buildResponse,
  expandHome,
  listFiles,
  pathText,
  TOOL_ICONS,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION =
  'List a folder, sorted by path, with type, size and modified; without "all", not what ' +
  ".gitignore names.";

const LIMIT = { usual: 200, most: 1_000 };
/** With the keys of the answer, 32 KiB. */
const MOST_TEXT = 32 * 1024 - 100;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const { timeoutMs } = limits;
  mcpServer.registerTool(toolName, {
    title: "List files",
    icons: TOOL_ICONS.list,
    description: DESCRIPTION,
    inputSchema: {
      path: pathText("~/ too"),
      depth: wholeNumber(1, "Levels of folders, default 1").optional(),
      glob: z.string().optional().describe("*.ts, or src/**/*.{ts,js}"),
      limit: wholeNumber(1, `Default ${LIMIT.usual}, max ${LIMIT.most}`).optional(),
      all: z.boolean().optional(),
    },
    outputSchema: {
      entries: z.array(z.looseObject({})),
      more: z.int().optional().describe("Left out"),
      truncated: z.boolean().optional(),
    },
    annotations: {
      title: "List files",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ path, limit = LIMIT.usual, ...wanted }, extra) => {
    const { caller, limits, signal, user } = extra;
    const { entries, more, truncated } = await listFiles(expandHome(path, extra), {
      ...wanted,
      limit: Math.min(limit, LIMIT.most),
      maxText: MOST_TEXT,
      caller,
      signal,
      timeoutMs: Math.min(timeoutMs, limits.timeoutMs),
      user,
    });
    return buildResponse({
      entries,
      ...(more > 0 ? { more } : {}),
      ...(truncated ? { truncated } : {}),
    });
  });
};

export default register;

import {
  buildResponse,
  expandHome,
  pathText,
  searchFiles,
  TOOL_ICONS,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION =
  'Find lines below path, named relative to it; no binary files nor, without "all", what .gitignore ' +
  "names.";

const LIMIT = { usual: 100, most: 1_000 };
const MOST_CONTEXT = 20;
/** With the keys of the answer, 32 KiB. */
const MOST_TEXT = 32 * 1024 - 100;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const { timeoutMs } = limits;
  mcpServer.registerTool(toolName, {
    title: "Search files",
    icons: TOOL_ICONS.search,
    description: DESCRIPTION,
    inputSchema: {
      path: pathText("~/ too"),
      pattern: z.string().describe("RE2"),
      glob: z.string().optional().describe("*.ts, or src/**/*.{ts,js}"),
      ignoreCase: z.boolean().optional(),
      context: z.int().min(0).max(MOST_CONTEXT).optional(),
      limit: wholeNumber(1, `Default ${LIMIT.usual}, max ${LIMIT.most}`).optional(),
      all: z.boolean().optional(),
    },
    outputSchema: {
      matches: z.array(z.looseObject({})),
      files: z.int(),
      truncated: z.boolean().optional(),
    },
    annotations: {
      title: "Search files",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ path, limit = LIMIT.usual, ...wanted }, extra) => {
    const { caller, limits, signal, user } = extra;
    const { truncated, ...found } = await searchFiles(expandHome(path, extra), {
      ...wanted,
      limit: Math.min(limit, LIMIT.most),
      maxText: MOST_TEXT,
      caller,
      signal,
      timeoutMs: Math.min(timeoutMs, limits.timeoutMs),
      user,
    });
    const { matches, files } = found;
    return buildResponse({ matches, files, ...(truncated ? { truncated } : {}) });
  });
};

export default register;

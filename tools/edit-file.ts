import {
  buildResponse,
  editFile,
  expandHome,
  pathText,
  TOOL_ICONS,
  type ToolModule,
  unifiedDiff,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION =
  `Replace exact texts in a UTF-8 file, all edits or none. "old" must be there once, so take lines \
around it along, or use "all". LF matches CRLF.`;

const MOST_EDITS = 100;
const MOST_DIFF_BYTES = 4_096;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const { maxFileBytes: maxBytes, timeoutMs } = limits;
  mcpServer.registerTool(toolName, {
    title: "Edit a file",
    icons: TOOL_ICONS.write,
    description: DESCRIPTION,
    inputSchema: {
      path: pathText("Absolute, relative or ~/"),
      edits: z.array(z.strictObject({
        old: z.string(),
        new: z.string(),
        all: z.boolean().optional(),
      })).min(1).max(MOST_EDITS),
      dryRun: z.boolean().optional(),
    },
    outputSchema: { path: z.string(), edits: z.int().min(1), diff: z.string() },
    annotations: {
      title: "Edit a file",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  }, async ({ path, edits, dryRun }, extra) => {
    const { caller, limits, signal, user } = extra;
    const edited = await editFile(expandHome(path, extra), edits, {
      maxBytes,
      dryRun,
      caller,
      signal,
      timeoutMs: Math.min(timeoutMs, limits.timeoutMs),
      user,
    });
    const diff = await unifiedDiff(edited.path, { ...edited, maxBytes: MOST_DIFF_BYTES });
    return buildResponse({ path: edited.path, edits: edits.length, diff });
  });
};

export default register;

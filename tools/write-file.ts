import {
  appendToFile,
  buildResponse,
  expandHome,
  parseFileContent,
  parseFileMode,
  pathText,
  resolveAccount,
  TOOL_ICONS,
  type ToolModule,
  writeWholeFile,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION =
  "Write a file whole or not at all (in place only if it has several hard links). Mode, owner " +
  "and group of an existing file stay unless given; ACLs do not. Symbolic links are followed.";

/** What `resolveAccount()` accepts; a number may be one of JSON too, which the schema leaves out. */
const Account = z.union([z.string(), z.number()]).meta({ type: "string", anyOf: undefined });

const register: ToolModule = ({ mcpServer, toolName, limits: { timeoutMs } }) => {
  const umask = Deno.umask();
  mcpServer.registerTool(toolName, {
    title: "Write a file",
    icons: TOOL_ICONS.write,
    description: DESCRIPTION,
    inputSchema: {
      path: pathText("Absolute, relative or ~/"),
      content: z.string(),
      owner: Account.optional().describe("Name or number"),
      group: Account.optional().describe("Name or number"),
      chmod: z.string().optional().describe('Like "0644" or "u+x,go-w"'),
      encoding: z.enum(["utf8", "base64"]).default("utf8").describe("Of content"),
      createParents: z.boolean().default(false).describe("Make missing folders"),
      append: z.boolean().optional().describe("Add to its end"),
    },
    outputSchema: { path: z.string(), bytesWritten: z.int().min(0) },
    annotations: {
      title: "Write a file",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    },
  }, async ({ path, content, owner, group, chmod, encoding, createParents, append }, extra) => {
    const { caller, commands, limits, signal, user } = extra;
    const bytes = parseFileContent(content, encoding);
    const changeMode = chmod === undefined ? undefined : parseFileMode(chmod);
    const uid = owner === undefined
      ? owner
      : await resolveAccount("user", owner, { commands, signal });
    const gid = group === undefined
      ? group
      : await resolveAccount("group", group, { commands, signal });
    const bounds = { caller, user, signal, timeoutMs: Math.min(timeoutMs, limits.timeoutMs) };
    const options = { uid, gid, changeMode, umask, createParents, ...bounds };
    const write = append === true ? appendToFile : writeWholeFile;
    const written = await write(expandHome(path, extra), bytes, options);
    return buildResponse({ path: written, bytesWritten: bytes.length });
  });
};

export default register;

import {
  buildResponse,
  parseFileContent,
  parseFileMode,
  resolveAccount,
  type ToolModule,
  writeWholeFile,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION =
  `Write a file whole or not at all: readers find the old content or the new, and \
after any failure the file is as it was.
Creates the file or replaces all of its content; mode, owner and group of an existing file stay \
unless given (ACLs and extended attributes do not). A symbolic link's target is written. Only a \
file with several hard links is written in place.`;

const AccountName = z.union([z.string(), z.number()]).optional();

const register: ToolModule = ({ mcpServer, toolName }) => {
  const umask = Deno.umask();
  mcpServer.registerTool(toolName, {
    title: "Write a file",
    description: DESCRIPTION,
    inputSchema: {
      path: z.string().min(1).describe("Absolute, or relative to the server's working folder"),
      content: z.string(),
      owner: AccountName.describe("Name or number"),
      group: AccountName.describe("Name or number"),
      chmod: z.string().optional().describe('Octal "0644" or symbolic "u+x,go-w"'),
      encoding: z.enum(["utf8", "base64"]).default("utf8").describe("Of content"),
      createParents: z.boolean().default(false).describe("Make missing folders"),
    },
    outputSchema: { bytesWritten: z.int().min(0) },
    annotations: {
      title: "Write a file",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ path, content, owner, group, chmod, encoding, createParents }, extra) => {
    const { commands, signal } = extra;
    const bytes = parseFileContent(content, encoding);
    const changeMode = chmod === undefined ? undefined : parseFileMode(chmod);
    const uid = owner === undefined
      ? owner
      : await resolveAccount("user", owner, { commands, signal });
    const gid = group === undefined
      ? group
      : await resolveAccount("group", group, { commands, signal });
    await writeWholeFile(path, bytes, { uid, gid, changeMode, umask, createParents, signal });
    return buildResponse({ bytesWritten: bytes.length });
  });
};

export default register;

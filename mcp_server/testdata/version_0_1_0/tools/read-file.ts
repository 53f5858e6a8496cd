import {
  buildResponse,
  readFilePart,
  textOfPart,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION = `Read a regular file, or a part of it, without loss.
UTF-8 text by default; for other bytes use encoding "base64".
To page, add the byte length of each content to offset, until content is empty. A character that \
limit would cut is left for the next call, and an offset inside a character is refused with the \
right one.`;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const { maxFileBytes } = limits;
  mcpServer.registerTool(toolName, {
    title: "Read a file",
    description: DESCRIPTION,
    inputSchema: {
      path: z.string().min(1).describe("Absolute, or relative to the server's working folder"),
      offset: z.int().min(0).optional().describe("Byte to start at, default 0"),
      limit: z.int().min(1).max(maxFileBytes).optional().describe(
        `Most bytes to read; needed where more than ${maxFileBytes} are left`,
      ),
      encoding: z.enum(["utf8", "base64"]).default("utf8").describe("Of content"),
    },
    outputSchema: { content: z.string() },
    annotations: {
      title: "Read a file",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ path, offset, limit, encoding }, { signal }) => {
    const part = await readFilePart(path, { offset, limit, maxBytes: maxFileBytes, signal });
    const content = encoding === "base64"
      ? part.bytes.subarray(part.start, part.end).toBase64()
      : textOfPart(part);
    return buildResponse({ content });
  });
};

export default register;

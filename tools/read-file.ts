import {
  buildResponse,
  expandHome,
  pathText,
  readFilePart,
  textOfPart,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION = `Read a regular file, or a part of it, without loss.
UTF-8 text by default; for other bytes use encoding "base64".
To page, add the byte length of each content to offset, until content is empty. A character that \
limit would cut is left for the next call, and an offset inside a character is refused with the \
right one.`;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const { maxFileBytes, timeoutMs } = limits;
  mcpServer.registerTool(toolName, {
    title: "Read a file",
    description: DESCRIPTION,
    inputSchema: {
      path: pathText("Absolute, ~/, or relative to the server's working folder"),
      offset: wholeNumber(0, "Byte to start at, default 0").optional(),
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
  }, async ({ path, offset = 0, limit, encoding }, extra) => {
    const { caller, limits, signal, user } = extra;
    const part = await readFilePart(expandHome(path, extra), {
      offset: Math.min(offset, Number.MAX_SAFE_INTEGER),
      limit,
      maxBytes: maxFileBytes,
      caller,
      signal,
      timeoutMs: Math.min(timeoutMs, limits.timeoutMs),
      user,
    });
    const content = encoding === "base64"
      ? part.bytes.subarray(part.start, part.end).toBase64()
      : textOfPart(part);
    return buildResponse({ content });
  });
};

export default register;

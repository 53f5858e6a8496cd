import { basename, resolve } from "node:path/posix";
import {
  type AnswerBounds,
  ArgumentsError,
  buildResponse,
  expandHome,
  type FilePart,
  jsonTextStart,
  pathText,
  readFileLines,
  readFilePart,
  textOfPart,
  TOOL_ICONS,
  type ToolModule,
  type ToolResult,
  UriTemplate,
  wholeNumber,
  withLink,
  z,
} from "@trestle/mcp-server/toolkit";

const DESCRIPTION =
  'Read a file, or a part of it by lines or bytes: UTF-8 text, else use encoding "base64". ' +
  "Images are shown. Go on at nextLine or nextOffset; an offset inside a character is refused.";

/** The URIs of files. */
const FILE = new UriTemplate("trestle://files{+path}{?line,lines,offset,limit,encoding}");

const MOST_IMAGE_BYTES = 1024 * 1024;
/** What the keys of an answer take. */
const KEYS = 128;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const { maxFileBytes, timeoutMs } = limits;
  mcpServer.registerTool(toolName, {
    title: "Read a file",
    icons: TOOL_ICONS.read,
    description: DESCRIPTION,
    inputSchema: {
      path: pathText("Absolute, relative or ~/"),
      line: z.number().refine(Number.isInteger, { error: "must be an integer" })
        .meta({ type: "integer", description: "First line, from 1; -20: the last 20" }).optional(),
      lines: wholeNumber(1, "Most lines").optional(),
      offset: wholeNumber(0, "Byte to start at, default 0").optional(),
      limit: z.int().min(1).max(maxFileBytes).optional().describe(
        `Most bytes to read; needed where more than ${maxFileBytes} are left`,
      ),
      encoding: z.enum(["utf8", "base64"]).default("utf8").describe("Of content"),
    },
    outputSchema: {
      content: z.string().optional(),
      mimeType: z.string().optional(),
      size: z.int().min(0),
      nextLine: z.int().optional(),
      nextOffset: z.int().optional(),
    },
    resource: {
      name: "File",
      template: FILE.text,
      contents: ({ content: [block], structuredContent: { content } = {} }, { encoding }) => {
        if (block?.type === "image") return { mimeType: block.mimeType, blob: block.data };
        const text = String(content);
        return encoding === "base64" ? { blob: text } : { mimeType: "text/plain", text };
      },
    },
    annotations: {
      title: "Read a file",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ path, line, lines, offset, limit, encoding }, extra) => {
    const { caller, limits, signal, user } = extra;
    const most = limit === undefined ? extra.answerBounds : undefined;
    const bounds = {
      maxBytes: maxFileBytes,
      caller,
      signal,
      timeoutMs: Math.min(timeoutMs, limits.timeoutMs),
      user,
    };
    const file = expandHome(path, extra);
    if (line !== undefined || lines !== undefined) {
      const byBytes = offset !== undefined || encoding === "base64";
      if (byBytes || line === 0) throw wrongLines(line);
      const read = (maxBytes: number) =>
        readFileLines(file, { line: line ?? 1, lines, ...bounds, maxBytes });
      const whole = await read(limit ?? most?.textBytes ?? maxFileBytes);
      const fitting = most && jsonTextStart(whole.text, most.characters - KEYS);
      const { text: content, ...rest } = fitting === undefined || fitting === whole.text
        ? whole
        : await read(lengthOf(fitting));
      return linked(buildResponse({ content, ...rest }), file);
    }
    const from = Math.min(offset ?? 0, Number.MAX_SAFE_INTEGER);
    // An image is shown whole, however little text may be.
    const usual = most && Math.min(MOST_IMAGE_BYTES, maxFileBytes);
    const part = await readFilePart(file, { offset: from, limit: limit ?? usual, ...bounds });
    if (encoding === "base64") {
      return linked(toBase64(startOf(part, most && most.textBytes / 4 * 3)), file);
    }
    return linked(imageOf(part) ?? toText(startOf(part, most?.textBytes), most), file);
  });
};

/** Links to the whole file. */
function linked(result: ToolResult, file: string): ToolResult {
  const path = resolve(file);
  return withLink(result, { uri: FILE.expand({ path }), name: basename(path) });
}

function wrongLines(line: number | undefined): ArgumentsError {
  return new ArgumentsError(
    line === 0
      ? 'Cannot read from "line" 0: lines count from 1, or from the end with -1'
      : 'Cannot read by lines and bytes at once: use "line" and "lines", or "offset" and "encoding"',
    { argument: "line" },
  );
}

function toBase64(part: FilePart): ToolResult {
  const { bytes, start, end, size } = part;
  const content = bytes.subarray(start, end).toBase64();
  return buildResponse({ content, size, ...restOf(part, end - start) });
}

function toText(part: FilePart, most: AnswerBounds | undefined): ToolResult {
  const text = textOfPart(part);
  const content = most === undefined ? text : jsonTextStart(text, most.characters - KEYS);
  return buildResponse({ content, size: part.size, ...restOf(part, lengthOf(content)) });
}

/** The first bytes of a part; the others are read, and left for the next one. */
function startOf(part: FilePart, bytes: number | undefined): FilePart {
  if (bytes === undefined) return part;
  return { ...part, end: Math.min(part.end, part.start + Math.floor(bytes)) };
}

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Where to go on, if the file has more than a number of bytes of a part. */
function restOf({ offset, bytes, start }: FilePart, read: number): { nextOffset?: number } {
  return read > 0 && start + read < bytes.length ? { nextOffset: offset + read } : {};
}

/** The first bytes of the kinds of images that models see, and where they are. */
const IMAGES: readonly [mimeType: string, starts: RegExp][] = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];
const HEAD_BYTES = 16;

/** A whole image of at most 1 MiB, as content of MCP. */
function imageOf({ offset, bytes, start, end, size }: FilePart): ToolResult | undefined {
  const head = String.fromCharCode(...bytes.subarray(start, start + HEAD_BYTES));
  const [mimeType] = IMAGES.find(([, starts]) => starts.test(head)) ?? [];
  const isWhole = offset === 0 && end === bytes.length;
  if (mimeType === undefined || !isWhole || bytes.length > MOST_IMAGE_BYTES) return undefined;
  const response = buildResponse({ mimeType, size });
  return { ...response, content: [{ type: "image", data: bytes.toBase64(), mimeType }] };
}

export default register;

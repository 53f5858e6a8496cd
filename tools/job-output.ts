import {
  buildResponse,
  TOOL_ICONS,
  ToolError,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";
import { JOB_OUTPUT, jobTextLimit } from "./jobs/job_schema.ts";
import { readFittingJobText, readJobText } from "./jobs/read_output.ts";
import { searchJobOutput } from "./jobs/search_output.ts";

const KIB = 1_024;
const TEXT = { usual: 32 * KIB, most: 1_024 * KIB };
const MOST_PATTERN = 1_000;
/** What the keys of an answer take. */
const KEYS = 256;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  mcpServer.registerTool(toolName, {
    title: "Read a job's output",
    icons: TOOL_ICONS.job,
    description:
      "Read a job's output by byte offset, its tail, or (search) the lines that match. " +
      "Continue at nextOffset until it is end. gap: bytes that are not kept.",
    inputSchema: {
      id: z.string(),
      stream: z.enum(["stdout", "stderr"]).default("stdout"),
      offset: wholeNumber(0, "Default 0").optional(),
      limit: wholeNumber(1, `Bytes, default ${TEXT.usual}; with search: all`).optional(),
      tail: wholeNumber(1, "Last bytes, instead of offset").optional(),
      search: z.string().max(MOST_PATTERN).optional()
        .describe("RE2 regular expression, such as (?i)error"),
    },
    outputSchema: {
      text: z.string().optional(),
      offset: z.int().optional(),
      matches: z.array(z.looseObject({})).optional(),
      nextOffset: z.int(),
      end: z.int(),
      gap: z.looseObject({}).optional(),
    },
    resource: {
      name: "Output of a job",
      template: JOB_OUTPUT.text,
      contents: ({ structuredContent: { text, matches } = {} }) => {
        return typeof text === "string"
          ? { mimeType: "text/plain", text }
          : { mimeType: "application/json", text: JSON.stringify(matches) };
      },
    },
    annotations: {
      title: "Read a job's output",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ id, stream, offset, limit, tail, search: pattern }, extra) => {
    const { jobs, signal, answerBounds } = extra;
    const usual = answerBounds?.textBytes ?? TEXT.usual;
    const from = toOffset(offset, tail);
    if (pattern !== undefined) {
      const request = { stream, offset: from, limit, pattern, signal };
      const maxText = Math.min(usual, TEXT.usual);
      return buildResponse(await searchJobOutput(jobs, id, { ...request, maxText }));
    }
    const wish = limit ?? tail;
    const most = Math.min(wish ?? usual, TEXT.most, jobTextLimit(limits));
    const request = { stream, offset: from, limit: most };
    const characters = wish === undefined ? answerBounds?.characters : undefined;
    return buildResponse(
      characters === undefined
        ? await readJobText(jobs, id, request)
        : await readFittingJobText(jobs, id, { ...request, most: characters - KEYS }),
    );
  });
};

function toOffset(offset: number | undefined, tail: number | undefined): number {
  if (tail === undefined) return offset ?? 0;
  if (offset === undefined) return -tail;
  throw new ToolError(`Cannot read from offset ${offset} and the last ${tail} bytes: give one`, {
    code: "BAD_OFFSET",
  });
}

export default register;

import {
  buildResponse,
  createSqlService,
  plainText,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_BATCHES = 32;
const MOST_QUERIES = 100;

const register: ToolModule = (context) => {
  const { mcpServer, toolName, limits } = context;
  const sql = createSqlService(context);
  mcpServer.registerTool(toolName, {
    title: "Run SQL",
    description: "Run SQL on configured databases (PostgreSQL, else SQLite). A batch is one " +
      "connection: queries run in order, one statement each; a failed one has `error`, the " +
      "others run. Open transactions are rolled back.",
    inputSchema: {
      batches: z.array(z.strictObject({
        database: z.string().optional(),
        queries: z.array(plainText()).refine(...upTo(MOST_QUERIES)),
        params: z.array(z.array(z.unknown())).optional().describe("Of each query"),
        readOnly: z.boolean().optional(),
      })).refine(...upTo(MOST_BATCHES)),
      timeoutMs: z.int().min(1).optional()
        .describe(`Per query (15000, max ${limits.maxTimeoutMs})`),
      maxRows: z.int().min(1).optional().describe("Per query (1000, max 100000)"),
    },
    outputSchema: {
      results: z.array(z.looseObject({
        database: z.string(),
        results: z.array(z.looseObject({
          query: z.string(),
          success: z.boolean(),
          rows: z.array(z.unknown()),
          rowCount: z.int(),
        })),
      })),
    },
    annotations: {
      title: "Run SQL",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ batches, timeoutMs, maxRows }, { signal }) => {
    return buildResponse({ results: await sql.run(batches, { timeoutMs, maxRows, signal }) });
  });
};

/** Bounds a list without a word in the schema, which every client reads. */
function upTo(most: number): [(list: readonly unknown[]) => boolean, string] {
  return [({ length }) => length >= 1 && length <= most, `must have 1 to ${most} entries`];
}

export default register;

import {
  buildResponse,
  createSqlService,
  jsonTextLength,
  TOOL_ICONS,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";

const MOST_BATCHES = 32;
const MOST_QUERIES = 100;

const register: ToolModule = (context) => {
  const { mcpServer, toolName, limits } = context;
  const sql = createSqlService(context);
  mcpServer.registerTool(toolName, {
    title: "Run SQL",
    icons: TOOL_ICONS.sql,
    description: "Run SQL (PostgreSQL, SQLite). Batch: one connection; query: a statement. " +
      "Errors stop only transactions.",
    inputSchema: {
      batches: z.array(z.strictObject({
        database: z.string().optional(),
        create: z.boolean().optional(),
        queries: z.array(z.string()).min(1).max(MOST_QUERIES),
        params: z.array(z.array(bindValue())).optional().describe(
          "Per query; ≥2^53 as text, bytes {base64}",
        ),
        readOnly: z.boolean().optional(),
        transaction: z.boolean().optional(),
      })).min(1).max(MOST_BATCHES),
      timeoutMs: wholeNumber(1, `15000, max ${limits.maxTimeoutMs}`).optional(),
      maxRows: wholeNumber(1, "1000, max 100000").optional(),
      rowsAs: z.enum(["objects", "arrays"]).optional(),
    },
    outputSchema: {
      // Rows are objects or arrays of any values, for which a schema has no type.
      results: z.array(z.looseObject({ database: z.string() })),
    },
    annotations: {
      title: "Run SQL",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    readsWith: "databases",
  }, async ({ batches, timeoutMs, maxRows, rowsAs = "objects" }, extra) => {
    const { caller, limits, signal, answerBounds } = extra;
    const room = answerBounds && answerBounds.characters - sizeOfFrame(batches);
    const maxCharacters = maxRows === undefined ? room && Math.max(0, room) : undefined;
    const options = { timeoutMs, maxRows, maxCharacters, rowsAs, caller, limits, signal };
    const careful = batches.map((batch) => ({ create: false, ...batch }));
    return buildResponse({ results: await sql.run(careful, options) });
  });
};

/** What the keys of one result of a query, or of a batch, take. */
const KEYS = 128;

/** What an answer takes without rows: it repeats the queries. */
function sizeOfFrame(batches: readonly { readonly queries: readonly string[] }[]): number {
  const queries = batches.flatMap(({ queries }) => queries);
  const texts = queries.reduce((sum, query) => sum + jsonTextLength(query), 0);
  return texts + KEYS * (queries.length + batches.length);
}

/** The value of a placeholder; arrays and objects are accepted too, as docs/sql-query.md describes. */
function bindValue() {
  const scalars = ["string", "number", "boolean", "null"];
  return z.unknown().meta({ anyOf: scalars.map((type) => ({ type })) });
}

export default register;

import {
  buildResponse,
  createSchemaReader,
  TOOL_ICONS,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const register: ToolModule = (context) => {
  const { mcpServer, toolName } = context;
  const readSchema = createSchemaReader(context);
  mcpServer.registerTool(toolName, {
    title: "Read a schema",
    icons: TOOL_ICONS.sql,
    description: "Tables and views of a database with columns and primary keys; " +
      "full: foreign keys and indexes too.",
    inputSchema: {
      database: z.string().optional(),
      pattern: z.string().optional().describe("schema.table or table; * is any text"),
      detail: z.enum(["names", "columns", "full"]).optional().describe("Default columns"),
      cursor: z.string().optional().describe("nextCursor of the page before"),
    },
    outputSchema: {
      database: z.string(),
      dialect: z.string(),
      tables: z.array(z.looseObject({})),
      nextCursor: z.string().optional(),
    },
    annotations: {
      title: "Read a schema",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  }, async (query, { caller, limits, signal }) => {
    return buildResponse(await readSchema(query, { caller, limits, signal }));
  });
};

export default register;

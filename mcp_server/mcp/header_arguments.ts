import type { McpServer } from "@modelcontextprotocol/server";
import { isJsonObject } from "../shared/json.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/**
 * Passes the called tool's schema to the SDK if arguments are mirrored in headers, which the SDK
 * compares with the body (MCP specification, "Custom Headers from Tool Parameters").
 */
export function registerHeaderTool(
  server: McpServer,
  body: unknown,
  find: (name: string) => ToolDefinition | undefined,
): void {
  const called = nameOfCall(body);
  const definition = called === undefined ? undefined : find(called);
  if (definition === undefined || !mirrorsArguments(definition.inputSchema)) return;
  const { name, inputSchema } = definition;
  const jsonSchema = { input: () => ({ ...inputSchema }), output: () => ({ ...inputSchema }) };
  server.registerTool(name, {
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "trestle",
        validate: (value: unknown) => ({ value }),
        jsonSchema,
      },
    },
  }, () => ({ content: [] }));
}

/** The tool that a message calls; checked by hand, because every request pays for it. */
function nameOfCall(body: unknown): string | undefined {
  if (!isJsonObject(body) || body.method !== "tools/call") return undefined;
  const { params } = body;
  return isJsonObject(params) && typeof params.name === "string" ? params.name : undefined;
}

/** Whether clients repeat arguments of a tool with this schema in headers. */
export function mirrorsArguments(schema: unknown): boolean {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return false;
  return Object.values(schema.properties).some((property) =>
    isJsonObject(property) && ("x-mcp-header" in property || mirrorsArguments(property))
  );
}

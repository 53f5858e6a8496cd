import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Read what belongs to an id.",
    inputSchema: { id: z.string() },
    annotations: { readOnlyHint: true },
    resource: {
      name: "Data of an id",
      template: "test://template/{id}/data",
      contents: (_result, { id }) => ({
        mimeType: "application/json",
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }),
    },
  }, ({ id }) => buildResponse({ id }));
};

export default register;

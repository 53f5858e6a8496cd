import { buildResponse, type ToolModule } from "@trestle/mcp-server/toolkit";

const text = "This is the content of the static text resource.";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Read a text that never changes.",
    annotations: { readOnlyHint: true },
    resource: {
      name: "Static text",
      template: "test://static-text",
      contents: () => ({ mimeType: "text/plain", text }),
    },
  }, () => buildResponse({ text }));
};

export default register;

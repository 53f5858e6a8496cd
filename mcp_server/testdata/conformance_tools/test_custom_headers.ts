import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Echo a text that clients mirror in a header.", {
    text: z.string().meta({ "x-mcp-header": "Text" }),
  }, ({ text }) => buildResponse({ text }));
};

export default register;

import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Echo a text.", { text: z.string() }, ({ text }) => {
    return buildResponse({ text });
  });
};

export default register;

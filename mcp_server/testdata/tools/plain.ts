import type { ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, () => ({ content: [{ type: "text", text: "only text" }] }));
};

export default register;

import type { ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Crash.", () => {
    throw new Error("private-detail");
  });
};

export default register;

import { ToolError, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Refuse after a while.", async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    throw new ToolError('Cannot open "/file": it is locked', { code: "LOCKED" });
  });
};

export default register;

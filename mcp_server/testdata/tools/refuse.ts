import { ToolError, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Refuse.", () => {
    throw new ToolError('Cannot open "/file": it is locked', { code: "LOCKED" });
  });
};

export default register;

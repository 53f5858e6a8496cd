import { ToolError, type ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Fail.", () => {
    throw new ToolError("Cannot answer: this tool fails for testing");
  });
};

export default register;

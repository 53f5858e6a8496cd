import type { ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Fail.", () => {
    return { content: [{ type: "text", text: "no room" }], isError: true };
  });
};

export default register;

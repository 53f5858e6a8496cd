import type { ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Answer with one text.", () => ({
    content: [{ type: "text", text: "This is a simple text response for testing." }],
  }));
};

export default register;

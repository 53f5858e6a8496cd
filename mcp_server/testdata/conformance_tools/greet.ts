import { type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Greet someone; never as a task.",
    inputSchema: { name: z.string() },
    execution: { taskSupport: "forbidden" },
  }, ({ name }) => ({ content: [{ type: "text", text: `Hello, ${name}!` }] }));
};

export default register;

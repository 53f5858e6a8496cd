import type { ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName, env }) => {
  mcpServer.tool(toolName, "Reveal a secret in a failure.", () => {
    return { content: [{ type: "text", text: `failed with ${env("MCP_TOKEN")}` }], isError: true };
  });
};

export default register;

import type { ToolModule } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Report progress.", (extra) => {
    for (const progress of [0, 50, 100]) extra.progress({ progress, total: 100 });
    return { content: [{ type: "text", text: "done" }] };
  });
};

export default register;

import type { ToolModule } from "@trestle/mcp-server/toolkit";

const MESSAGES = ["Tool execution started", "Tool processing data", "Tool execution completed"];

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Send log messages.", async (extra) => {
    for (const data of MESSAGES) {
      await extra.sendNotification({
        method: "notifications/message",
        params: { level: "info", data },
      });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
};

export default register;

import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

/** Reports progress as fast as it can: so many messages of 4,000 characters. */
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Floods its client with progress.", {
    messages: z.number().describe("How many messages"),
  }, async ({ messages }, extra) => {
    for (let at = 0; at < messages && !extra.signal.aborted; at++) {
      extra.progress({ progress: at, total: messages, message: "x".repeat(4_000) });
      await extra.sendNotification({
        method: "notifications/message",
        params: { level: "error", data: "y".repeat(4_000) },
      });
      if (at % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    return buildResponse({ messages });
  });
};

export default register;

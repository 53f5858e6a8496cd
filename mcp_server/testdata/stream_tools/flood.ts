import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

/**
 * Reports progress as fast as it can, or with pauses: a given number of messages of 4,000
 * characters.
 */
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Floods its client with progress.", {
    messages: z.number().describe("How many messages"),
    pauseMs: z.number().default(0).describe("How long it waits before and after each message"),
  }, async ({ messages, pauseMs }, extra) => {
    for (let at = 0; at < messages && !extra.signal.aborted; at++) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
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

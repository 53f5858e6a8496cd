// my_tools/drop-cache.ts
import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Drop the cache, if the user agrees.", async (extra) => {
    const reply = await extra.ask({
      message: "Drop the whole cache?",
      schema: { agree: z.boolean() },
    });
    const dropped = reply.action === "accept" && reply.content.agree;
    return buildResponse({ dropped });
  });
};
export default register;

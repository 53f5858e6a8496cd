import { type ToolModule, z } from "@trestle/mcp-server/toolkit";
import { setTimeout as pause } from "node:timers/promises";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Ask for a name, then work for a second.", async (extra) => {
    const reply = await extra.ask({
      message: "What is your name?",
      schema: z.object({ name: z.string() }),
    });
    await pause(1_000, undefined, { signal: extra.signal });
    const name = reply.action === "accept" ? reply.content.name : "nobody";
    return { content: [{ type: "text", text: `Worked for ${name}` }] };
  });
};

export default register;

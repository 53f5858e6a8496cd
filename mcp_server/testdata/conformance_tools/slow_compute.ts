import { type ToolModule, z } from "@trestle/mcp-server/toolkit";
import { setTimeout as pause } from "node:timers/promises";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Answer after some seconds.", {
    seconds: z.number().min(0).max(120),
    label: z.string().optional(),
  }, async ({ seconds, label = "none" }, { signal }) => {
    await pause(seconds * 1_000, undefined, { signal });
    return { content: [{ type: "text", text: `Computed "${label}" for ${seconds} s` }] };
  });
};

export default register;

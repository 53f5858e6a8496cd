import { type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Ask two questions at once, as a task only.",
    execution: { taskSupport: "required" },
  }, async (extra) => {
    const replies = await Promise.all([
      extra.ask({ message: "What is your name?", schema: z.object({ name: z.string() }) }),
      extra.ask({ message: "Go on?", schema: z.object({ confirm: z.boolean() }) }),
    ]);
    return { content: [{ type: "text", text: replies.map(({ action }) => action).join(", ") }] };
  });
};

export default register;

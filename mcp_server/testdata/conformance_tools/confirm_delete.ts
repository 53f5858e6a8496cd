import { type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Ask whether a file may be deleted, as a task only; deletes nothing.",
    inputSchema: { filename: z.string() },
    execution: { taskSupport: "required" },
  }, async ({ filename }, extra) => {
    const reply = await extra.ask({
      message: `Delete "${filename}"?`,
      schema: z.object({ confirm: z.boolean() }),
    });
    const isConfirmed = reply.action === "accept" && reply.content.confirm;
    const text = isConfirmed ? `Would delete "${filename}"` : `Kept "${filename}"`;
    return { content: [{ type: "text", text }] };
  });
};

export default register;

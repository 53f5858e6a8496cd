import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const Answer = z.object({
  where: z.enum(["staging", "production"]),
  note: z.string().optional().describe("Anything that others should know"),
});

// Asks the person who has called it, and answers with what that said.
const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    title: "Ask a person",
    inputSchema: {},
  }, async (_args, extra) => {
    const reply = await extra.ask({ message: "Deploy <b>where</b>?", schema: Answer });
    return buildResponse({ reply });
  });
};

export default register;

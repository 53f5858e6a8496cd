import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Report progress and output.", {
    steps: z.int(),
    timeoutMs: z.int().max(1_000).optional(),
  }, async ({ steps, timeoutMs }, extra) => {
    for (let step = 1; step <= steps; step++) {
      extra.progress({ progress: step, total: steps });
      await extra.output({ stream: step % 2 === 0 ? "stderr" : "stdout", text: `step €${step}\n` });
    }
    return buildResponse({ steps, timeoutMs });
  });
};

export default register;

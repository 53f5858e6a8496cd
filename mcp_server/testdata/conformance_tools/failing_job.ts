import { ToolError, type ToolModule } from "@trestle/mcp-server/toolkit";
import { setTimeout as pause } from "node:timers/promises";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    description: "Fail after a second, as a task only.",
    execution: { taskSupport: "required" },
  }, async ({ signal }) => {
    await pause(1_000, undefined, { signal });
    throw new ToolError("Cannot answer: this tool fails for testing");
  });
};

export default register;

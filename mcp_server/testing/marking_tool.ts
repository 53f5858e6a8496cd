import { buildResponse, type ToolModule, z } from "../toolkit.ts";

/** A tool whose only effect is a line in the file that `MARKS` names, so that a test sees it run. */
const register: ToolModule = ({ mcpServer, toolName, env }) => {
  mcpServer.registerTool(toolName, {
    inputSchema: { mark: z.string() },
    outputSchema: { mark: z.string() },
    execution: { taskSupport: "optional" },
  }, async ({ mark }) => {
    await Deno.writeTextFile(env("MARKS") ?? "", `${mark}\n`, { append: true });
    return buildResponse({ mark });
  });
};

export default register;

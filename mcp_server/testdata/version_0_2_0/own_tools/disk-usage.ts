// my_tools/disk-usage.ts
import {
  buildResponse,
  runCommand,
  ToolError,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName, log }) => {
  mcpServer.tool(toolName, "Report how full a disk is.", {
    path: z.string().describe("Any path on the disk"),
  }, async ({ path }, extra) => {
    log.debug("running df", { path });
    const { stdout, stderr, exitCode } = await runCommand(["df", "--output=pcent", path], extra);
    if (exitCode !== 0) throw new ToolError(stderr);
    return buildResponse({ usedPercent: Number.parseInt(stdout.split("\n")[1] ?? "") });
  });
};

export default register;

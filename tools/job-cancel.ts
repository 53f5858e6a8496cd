import { buildResponse, TOOL_ICONS, type ToolModule, z } from "@trestle/mcp-server/toolkit";
import { JOB } from "./jobs/job_schema.ts";

/** Longer than stopping takes: SIGTERM, 2 s, SIGKILL. */
const STOPPED_MS = 5_000;

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    title: "Cancel a job",
    icons: TOOL_ICONS.job,
    description: "Stop a job with all its processes. Its output is kept.",
    inputSchema: { id: z.string() },
    outputSchema: { job: JOB },
    annotations: {
      title: "Cancel a job",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ id }, { jobs, signal }) => {
    await jobs.cancel(id);
    const job = await jobs.wait(id, { timeoutMs: STOPPED_MS, untilEnd: true, signal });
    return buildResponse({ job });
  });
};

export default register;

import { buildResponse, type ToolModule, z } from "@trestle/mcp-server/toolkit";

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.tool(toolName, "Start a job, and wait for it.", {
    tool: z.string(),
    args: z.record(z.string(), z.json()),
  }, async (request, { jobs, signal }) => {
    const { job } = await jobs.start(request);
    await jobs.wait(job.id, { timeoutMs: 10_000, since: "queued", signal });
    return buildResponse(await jobs.wait(job.id, { timeoutMs: 10_000, since: "running", signal }));
  });
};

export default register;

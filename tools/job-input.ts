import { buildResponse, exactText, JOB, type ToolModule, z } from "@trestle/mcp-server/toolkit";

/** How long a job that was just started may take to run. */
const QUEUED_MS = 10_000;
const encoder = new TextEncoder();

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(toolName, {
    title: "Write to a job",
    description: "Write to the standard input of a job that was started with stdin; then job-wait.",
    inputSchema: {
      id: z.string(),
      text: exactText().describe("End lines with \\n"),
      end: z.boolean().optional().describe("Close the input after it"),
    },
    outputSchema: { job: JOB },
    annotations: {
      title: "Write to a job",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ id, text, end = false }, { jobs, signal }) => {
    const { state, stdin } = await jobs.get(id);
    if (state === "queued" && stdin) {
      await jobs.wait(id, { timeoutMs: QUEUED_MS, since: state, signal });
    }
    if (text !== "" || !end) await jobs.writeStdin(id, encoder.encode(text));
    if (end) await jobs.endStdin(id);
    return buildResponse({ job: await jobs.get(id) });
  });
};

export default register;

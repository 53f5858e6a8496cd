import { buildResponse, TOOL_ICONS, type ToolModule, z } from "@trestle/mcp-server/toolkit";
import { jobWaitArguments, WAITED_JOB } from "./jobs/job_schema.ts";
import { waitForJob } from "./jobs/wait_for_job.ts";

const SECONDS = 25;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  mcpServer.registerTool(toolName, {
    title: "Wait for a job",
    icons: TOOL_ICONS.job,
    description:
      "Wait until a job ends, the text until is in its output after from, or the time is over. " +
      "Answers with that output, at most 32 KiB of each stream, and next.",
    inputSchema: {
      id: z.string(),
      ...jobWaitArguments({
        from: "next of the last answer; without it: all output, newest 4 KiB in the answer",
        seconds: `Default ${SECONDS}, max 50`,
      }),
    },
    outputSchema: WAITED_JOB,
    annotations: {
      title: "Wait for a job",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }, async ({ id, seconds = SECONDS, ...wait }, { jobs, signal, answerBounds }) => {
    const bounds = { limits, answerBounds };
    return buildResponse(await waitForJob(jobs, id, { ...wait, ...bounds, seconds, signal }));
  });
};

export default register;

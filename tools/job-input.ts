import {
  buildResponse,
  exactText,
  type Job,
  type JobService,
  TOOL_ICONS,
  type ToolModule,
  z,
} from "@trestle/mcp-server/toolkit";
import { jobWaitArguments, WAITED_JOB } from "./jobs/job_schema.ts";
import { ensureWritten, waitForJob } from "./jobs/wait_for_job.ts";

/** How long a job that was just started may take to run. */
const QUEUED_MS = 10_000;
const SECONDS = 25;
const encoder = new TextEncoder();

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  mcpServer.registerTool(toolName, {
    title: "Write to a job",
    icons: TOOL_ICONS.job,
    description:
      "Write to the standard input of a job that was started with stdin, and with until " +
      "or seconds wait as job-wait does.",
    inputSchema: {
      id: z.string(),
      text: exactText().describe("End lines with \\n"),
      end: z.boolean().optional().describe("Close the input after it"),
      ...jobWaitArguments({
        from: "Default: where the output ends now",
        seconds: `Default ${SECONDS} with until, else 0`,
      }),
    },
    outputSchema: WAITED_JOB,
    annotations: {
      title: "Write to a job",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ id, text, end = false, from, until, seconds }, { jobs, signal, answerBounds }) => {
    const job = await untilStarted(jobs, id, signal);
    if (from !== undefined) ensureWritten(job, from);
    const wait = {
      from: from ?? endOf(job),
      until,
      seconds: seconds ?? (until === undefined ? 0 : SECONDS),
    };
    const bytes = encoder.encode(text);
    if (end) await jobs.endStdin(id, bytes);
    else await jobs.writeStdin(id, bytes);
    return buildResponse(await waitForJob(jobs, id, { ...wait, limits, answerBounds, signal }));
  });
};

async function untilStarted(jobs: JobService, id: string, signal: AbortSignal): Promise<Job> {
  const job = await jobs.get(id);
  if (job.state !== "queued" || !job.stdin) return job;
  return await jobs.wait(id, { timeoutMs: QUEUED_MS, since: job.state, signal });
}

function endOf({ output: { stdout, stderr } }: Job) {
  return { stdout: stdout.end, stderr: stderr.end };
}

export default register;

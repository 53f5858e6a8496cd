import {
  buildResponse,
  TOOL_ICONS,
  ToolError,
  type ToolModule,
  wholeNumber,
  withLink,
  z,
} from "@trestle/mcp-server/toolkit";
import { JOB, JOB_OUTPUT } from "./jobs/job_schema.ts";

/** Tools that are about jobs, and end soon. */
const JOB_TOOLS = ["job-start", "job-wait", "job-output", "job-input", "job-cancel", "job-list"];

const HOUR_MS = 3_600_000;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const hours = Number((limits.maxJobTimeoutMs / HOUR_MS).toFixed(2));
  mcpServer.registerTool(toolName, {
    title: "Start a job",
    icons: TOOL_ICONS.job,
    description: "Start a long tool call as a job, which outlives this call: args.timeoutMs may " +
      `be ${hours} h. Then job-wait for its end or a text; job-output reads and searches all of it.`,
    inputSchema: {
      tool: z.string().describe('Such as "exec-command"'),
      args: z.record(z.string(), z.unknown()).describe("Its arguments"),
      title: z.string().optional(),
      stdin: z.boolean().optional().describe("Its first command reads job-input"),
      tty: z.union([z.boolean(), z.strictObject({ rows: wholeNumber(1), cols: wholeNumber(1) })])
        .optional().describe("stdin, on a terminal (24 x 80)"),
      on: z.string().optional().describe("Label, or name:web-3"),
      retries: z.int().min(0).max(10).optional().describe("If its server dies"),
    },
    outputSchema: { job: JOB },
    annotations: {
      title: "Start a job",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  }, async ({ tool, args, title, stdin = false, tty, on, retries }, { jobs }) => {
    if (JOB_TOOLS.includes(tool)) {
      const message = `Cannot start "${tool}" as a job: it ends soon by itself; call it as a tool`;
      throw new ToolError(message, { code: "NOT_FOR_JOBS" });
    }
    const { job } = await jobs.start({ tool, args, title, stdin, tty, on, retries });
    const uri = JOB_OUTPUT.expand({ id: job.id, stream: "stdout" });
    const { id, state, stdin: takesInput } = job;
    const started = { id, state, ...(takesInput === true ? { stdin: true } : {}) };
    return withLink(buildResponse({ job: started }), { uri, name: "stdout" });
  });
};

export default register;

import {
  buildResponse,
  createJobWaiter,
  exactText,
  JOB,
  jobTextLimit,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";

const SECONDS = { usual: 25, most: 50 };
const MOST_UNTIL = 1_000;
const KIB = 32;

const register: ToolModule = ({ mcpServer, toolName, limits }) => {
  const wait = createJobWaiter();
  mcpServer.registerTool(toolName, {
    title: "Wait for a job",
    description:
      "Wait until a job ends, its output has a text, or the time is over. Answers with the job " +
      `and its output since your last wait, at most ${KIB} KiB of each stream; call again for more.`,
    inputSchema: {
      id: z.string(),
      seconds: wholeNumber(0, `Default ${SECONDS.usual}, max ${SECONDS.most}`).optional(),
      until: exactText().min(1).max(MOST_UNTIL).optional()
        .describe("Text anywhere in the output so far, also in what you have read"),
    },
    outputSchema: {
      job: JOB,
      stdout: z.string(),
      stderr: z.string(),
      next: z.looseObject({ stdout: z.int(), stderr: z.int() }),
      matched: z.boolean().optional(),
    },
    annotations: {
      title: "Wait for a job",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  }, async ({ id, seconds = SECONDS.usual, until }, { jobs, signal }) => {
    const timeoutMs = Math.min(seconds, SECONDS.most) * 1_000;
    const most = KIB * 1_024;
    return buildResponse(
      await wait(jobs, id, {
        timeoutMs,
        until,
        signal,
        limit: (job) => Math.min(most, jobTextLimit(limits, { beside: job, streams: 2 })),
      }),
    );
  });
};

export default register;

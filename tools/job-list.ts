import {
  buildResponse,
  JOB_STATES,
  TOOL_ICONS,
  type ToolModule,
  wholeNumber,
  z,
} from "@trestle/mcp-server/toolkit";
import { JOB } from "./jobs/job_schema.ts";

const JOBS = { usual: 20, most: 1_000 };

const register: ToolModule = ({ mcpServer, toolName }) => {
  mcpServer.registerTool(
    toolName,
    {
      title: "List jobs",
      icons: TOOL_ICONS.job,
      description: "List your jobs, newest first.",
      inputSchema: {
        state: z.enum(JOB_STATES).optional(),
        limit: wholeNumber(1, `Default ${JOBS.usual}`).optional(),
        cursor: z.string().optional().describe("nextCursor of the page before"),
      },
      outputSchema: { jobs: z.array(JOB), nextCursor: z.string().optional() },
      annotations: {
        title: "List jobs",
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async ({ limit = JOBS.usual, ...query }, { jobs }) =>
      buildResponse(await jobs.list({ ...query, limit: Math.min(limit, JOBS.most) })),
  );
};

export default register;

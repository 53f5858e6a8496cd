import { deepStrictEqual, match } from "node:assert/strict";
import { callApi, toAnswer } from "./testing/http_caller.ts";
import { startJobsServer } from "./testing/jobs_server.ts";
import { postMcp } from "./testing/mcp_request.ts";

const FOR_CALLS =
  'Cannot call "exec-command": timeoutMs: must be at most 40000 for a call (MCP_MAX_TIMEOUT_MS); ' +
  "job-start runs longer work";
const FOR_JOBS =
  'Cannot call "exec-command": timeoutMs: must be at most 80000 for a job (MCP_MAX_JOB_TIMEOUT_MS)';

Deno.test("a time-out beyond the settings is refused, for calls, jobs and tasks", async () => {
  await using jobs = await startJobsServer({
    env: { MCP_MAX_TIMEOUT_MS: "40000", MCP_MAX_JOB_TIMEOUT_MS: "80000" },
  });
  const { url } = jobs.server;
  const wish = (timeoutMs: number) => ({ commands: [{ command: "echo ok" }], timeoutMs });
  const job = (timeoutMs: number) => ({ tool: "exec-command", args: wish(timeoutMs) });
  const inMcp = async (
    name: string,
    args: object,
    revision: "2025-11-25" | "2026-07-28",
  ): Promise<string> => {
    const params = { name, arguments: args };
    return await (await postMcp(url, { method: "tools/call", params }, { revision })).text();
  };
  const refused = [
    await callApi(url, "exec-command", wish(40_001)),
    await callApi(url, "job-start", job(80_001)),
    await toAnswer(await jobs.start(job(80_001))),
  ];
  deepStrictEqual(refused.map(({ status, body }) => [status, body.code, body.detail]), [
    [422, "INVALID_ARGUMENTS", FOR_CALLS],
    [422, "INVALID_ARGUMENTS", FOR_JOBS],
    [422, "INVALID_ARGUMENTS", FOR_JOBS],
  ]);
  match(await inMcp("exec-command", wish(40_001), "2025-11-25"), /for a call .*job-start runs/);
  match(await inMcp("exec-command", wish(80_001), "2026-07-28"), /for a job /);

  const { status } = await callApi(url, "exec-command", wish(40_000));
  const { status: asJob } = await jobs.start(job(80_000));
  deepStrictEqual([status, asJob], [200, 202]);
  // The call may become a task, which is a job.
  match(await inMcp("exec-command", wish(80_000), "2026-07-28"), /"ok\\\\n/);
});

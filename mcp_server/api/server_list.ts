import { JobError } from "../tool/job.ts";
import type { JobHost } from "../tool/service.ts";
import type { Handler } from "../http/http_server.ts";
import { jsonResponse } from "../http/paced_body.ts";
import { problemResponse } from "../http/problem.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";
import { toJobProblem } from "../http/job_problem.ts";

/** Answers `GET /api/servers`: the servers that share the jobs and are alive. */
export function createServerList(jobs: JobHost, guard: ScopeGuard): Handler {
  return async (_request, sender) => {
    const rejection = guard(sender, ["tools:read"]);
    if (rejection !== undefined) return rejection;
    try {
      return jsonResponse({ servers: await jobs.servers() }, sender.exchange);
    } catch (error) {
      if (error instanceof JobError) return problemResponse(toJobProblem(error));
      throw error;
    }
  };
}

import { JobError } from "../../domain/job_error.ts";
import type { JobHost } from "../../domain/job_host.ts";
import type { Handler } from "../http_server.ts";
import { jsonResponse } from "../paced_body.ts";
import { problemResponse } from "../problem.ts";
import type { ScopeGuard } from "../scopes/scope_guard.ts";
import { toJobProblem } from "./job_problem.ts";

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

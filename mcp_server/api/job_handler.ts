import { JobError } from "../tool/job.ts";
import type { CallerJobs, JobHost, ToolService } from "../tool/service.ts";
import type { DisconnectWatcher } from "../http/disconnect_watcher.ts";
import { HttpClient } from "../http/http_client.ts";
import type { Handler, Sender } from "../http/http_server.ts";
import { problemResponse } from "../http/problem.ts";
import { scopeOfJob } from "../http/job_scope.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";
import { toJobProblem } from "../http/job_problem.ts";

/** What the paths of jobs need. */
export interface JobRouteParts {
  readonly jobs: JobHost;
  readonly watch: DisconnectWatcher;
  /** Ends waits and event streams that would outlast the server. */
  readonly closing: AbortSignal;
  readonly maxBodyBytes: number;
  readonly service: ToolService;
  readonly guard: ScopeGuard;
}

/** A request that is about the jobs of its caller. */
export interface JobContext {
  readonly jobs: CallerJobs;
  /** The id in the path, whatever it is. */
  readonly id: string;
  readonly exchange: Sender["exchange"];
  readonly occupy: Sender["occupy"];
  /** Aborts when the client disconnects. */
  readonly client: { readonly signal: AbortSignal };
  /** Aborts when the server stops, or the caller loses its rights. */
  readonly closing: AbortSignal;
  readonly maxBodyBytes: number;
}

/** Answers a request about jobs; may reject with a `JobError`. */
export type JobHandler = (request: Request, context: JobContext) => Promise<Response>;

/** Creates the handler of a route, which answers a `JobError` with its problem. */
export function toHandler(handler: JobHandler, parts: JobRouteParts): Handler {
  const { jobs: host, watch, maxBodyBytes } = parts;
  return async (request, sender) => {
    const { caller, revoked, id = "", exchange, occupy } = sender;
    const rejection = await checkScopes(request.method, sender, parts);
    if (rejection !== undefined) return rejection;
    const jobs = host.forCaller(caller, sender.remoteAddr.hostname, "http");
    const closing = revoked === undefined
      ? parts.closing
      : AbortSignal.any([parts.closing, revoked]);
    using client = new HttpClient(request, sender, watch);
    try {
      return await handler(request, {
        jobs,
        id,
        exchange,
        occupy,
        client,
        closing,
        maxBodyBytes,
      });
    } catch (error) {
      if (error instanceof JobError) return problemResponse(toJobProblem(error));
      throw error;
    }
  };
}

/** To read jobs, any scope of tools is enough; to change one, that of its tool is needed. */
async function checkScopes(
  method: string,
  sender: Sender,
  parts: JobRouteParts,
): Promise<Response | undefined> {
  const { caller, id = "" } = sender;
  if (caller.scopes === undefined) return undefined;
  const needed = method === "GET" ? ["tools:read"] as const : await scopeOfJob(id, caller, parts);
  return parts.guard(sender, needed);
}

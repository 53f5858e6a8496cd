import type { ContainmentState } from "../shared/limits.ts";
import type { JobHost } from "../tool/service.ts";
import { answerHealthCheck, notReady } from "../http/health_check.ts";
import type { Route } from "../http/http_server.ts";
import { jsonResponse } from "../http/paced_body.ts";

/** What the server says about itself. */
export interface HealthParts {
  readonly version: string;
  readonly containment: ContainmentState;
}

/**
 * Creates the route of the health check: `ok` for everyone; with `?verbose`, which requires the
 * token, the version and how commands are contained.
 */
export function createHealth({ version, containment }: HealthParts): Route {
  const isVerbose = ({ url }: Request) => new URL(url).searchParams.has("verbose");
  return {
    methods: {
      GET: (request, { exchange }) =>
        isVerbose(request)
          ? jsonResponse({ status: "ok", version, containment }, exchange)
          : answerHealthCheck(),
      HEAD: () => new Response(),
    },
    open: (request) => !isVerbose(request),
  };
}

/** Creates the route of the readiness check: 503 for everyone once the server is to stop. */
export function createReadiness(jobs: Pick<JobHost, "state">): Route {
  const answer = () => jobs.state === "ready" ? new Response("ready") : notReady(jobs.state);
  return { methods: { GET: answer, HEAD: answer }, open: true };
}

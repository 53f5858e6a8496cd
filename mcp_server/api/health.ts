import type { ContainmentState } from "../shared/containment.ts";
import type { JobHost } from "../tool/job_host.ts";
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
          : new Response("ok"),
      HEAD: () => new Response(),
    },
    open: (request) => !isVerbose(request),
  };
}

/** Creates the route of the readiness check: 503 for everyone once the server is to stop. */
export function createReadiness(jobs: Pick<JobHost, "state">): Route {
  const answer = () => {
    if (jobs.state === "ready") return new Response("ready");
    return new Response(`not ready: ${jobs.state}\n`, {
      status: 503,
      headers: { "retry-after": "10" },
    });
  };
  return { methods: { GET: answer, HEAD: answer }, open: true };
}

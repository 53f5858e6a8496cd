import { checkHost, type HostRule } from "../access/host_and_origin.ts";

const HEALTH = /^[^:]+:\/\/[^/]+\/healthz$/;
const READINESS = /^[^:]+:\/\/[^/]+\/readyz$/;

/**
 * Whether a request only asks, as monitors do and pages do not, whether the server is healthy. What
 * says more about the server, and what is to be rejected, is not answered here.
 */
export function isHealthCheck(request: Request, hosts: HostRule): boolean {
  return isCheck(HEALTH, request, hosts);
}

/** Whether a request asks in the same way whether the server takes work. */
export function isReadinessCheck(request: Request, hosts: HostRule): boolean {
  return isCheck(READINESS, request, hosts);
}

function isCheck(path: RegExp, { method, url, headers }: Request, hosts: HostRule): boolean {
  return method === "GET" && path.test(url) && !headers.has("origin") &&
    checkHost(headers.get("host"), hosts).ok;
}

/** Answers a health check: the server is healthy, unless something is late. */
export function answerHealthCheck(late?: string): Response {
  return late === undefined ? new Response("ok") : notReady(late);
}

/** Says what the server waits for. */
export function notReady(late: string): Response {
  return new Response(`not ready: ${late}\n`, { status: 503, headers: { "retry-after": "10" } });
}

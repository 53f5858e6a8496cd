import type { Caller } from "../access/caller.ts";
import { type Scope, scopeOf } from "../access/scope.ts";
import { forReading, type Handler, type Route } from "../http/http_server.ts";
import { jsonResponse } from "../http/response_body.ts";
import { problemOf, problemResponse } from "../http/problem.ts";
import type { ContainmentState } from "../shared/limits.ts";
import { messageOf, quote } from "../shared/error.ts";
import type { JobHost, LiveCalls, ReloadTools, ToolService } from "../tool/service.ts";
import type { Meter } from "../tool/telemetry.ts";

/**
 * Creates the routes of the health check: `ok` for everyone; with `?verbose`, which requires the
 * token, the version and how commands are contained.
 */
export function createHealthRoutes(version: string, containment: ContainmentState): Route[] {
  const isVerbose = ({ url }: Request) => new URL(url).searchParams.has("verbose");
  const answer: Handler = (request, { exchange }) =>
    isVerbose(request)
      ? jsonResponse({ status: "ok", version, containment }, exchange)
      : new Response("ok");
  const route = { path: "/healthz", open: (request: Request) => !isVerbose(request) };
  return [
    { ...route, method: "GET", handler: answer },
    { ...route, method: "HEAD", handler: () => new Response() },
  ];
}

/** Answers the readiness check: 503 for everyone once the server is to stop. */
export function answerReadiness({ state }: Pick<JobHost, "state">): Response {
  if (state === "ready") return new Response("ready");
  const headers = { "retry-after": "10" };
  return new Response(`not ready: ${state}\n`, { status: 503, headers });
}

/** Answers `GET /metrics`. */
export function renderMetrics(meter: Meter): Handler {
  return async () => {
    const { contentType, text } = await meter.render();
    return new Response(text, { headers: { "content-type": contentType } });
  };
}

/** The routes of a port of its own, on which nobody needs a token. */
export function createMetricsRoutes(meter: Meter): readonly Route[] {
  return [{ method: "GET", path: "/metrics", open: true, handler: renderMetrics(meter) }];
}

/** Answers `GET /api/calls`: the running calls that the caller sees. */
export function listCalls(calls: LiveCalls): Handler {
  return (_request, { caller, exchange }) => jsonResponse(calls.list(caller), exchange);
}

/** The scope that stops a call: that of its tool, as for its start. */
export function scopeOfCall(
  calls: LiveCalls,
  service: Pick<ToolService, "find">,
): Exclude<Route["scope"], Scope | undefined> {
  return ({ caller, id = "" }) => {
    const found = calls.find(id, caller);
    return found === undefined ? [] : [scopeOf(service.find(found.tool, caller) ?? {})];
  };
}

/** Answers `DELETE /api/calls/{id}` once the call has ended, or with 202 if it takes longer. */
export function stopCall(calls: LiveCalls): Handler {
  return async (_request, { caller, id = "", exchange, remoteAddr }) => {
    const stopped = await calls.stop(id, { caller, address: remoteAddr.hostname });
    if (stopped !== undefined) {
      return jsonResponse(stopped, exchange, { status: stopped.stopping ? 202 : 200 });
    }
    const detail = `Cannot find the call ${quote(id, 64)}: it is unknown, has ended, or is ` +
      "another caller's; list the calls to see their ids";
    return problemResponse(problemOf("CALL_NOT_FOUND", detail));
  };
}

/** Answers `GET /api/servers`: the servers that share the jobs and are alive. */
export function listServers(jobs: JobHost): Handler {
  return async (_request, { exchange }) =>
    jsonResponse({ servers: await jobs.servers() }, exchange);
}

/** Answers `GET /api/me`: the caller as the server knows it; without `rights` it has them all. */
export const describeCaller: Handler = (_request, { caller, exchange }) => {
  const { name, rights, scopes } = caller;
  return jsonResponse({ name, rights, scopes }, exchange);
};

/**
 * Answers `POST /api/admin/reload`: loads changed tools and says what became of each file, once it is
 * recorded who had them loaded.
 */
export function reloadTools(
  reload: ReloadTools,
  record: (caller: Caller, address: string) => Promise<void>,
): Handler {
  return async (_request, { caller, remoteAddr, exchange }) => {
    await record(caller, remoteAddr.hostname);
    try {
      return jsonResponse({ tools: await reload() }, exchange);
    } catch (error) {
      const detail = `Cannot reload the tools: ${messageOf(error)}`;
      return problemResponse(problemOf("TOOLS_UNREADABLE", detail));
    }
  };
}

/** The metadata of the protected resource, which everybody may read (RFC 9728, section 3). */
export function createMetadataRoutes(paths: readonly string[], metadata: object): Route[] {
  const headers = { "cache-control": "public, max-age=600" };
  const handler = () => Response.json(metadata, { headers });
  return paths.flatMap((path) => forReading({ path, open: true, handler }));
}

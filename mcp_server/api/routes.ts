import type { Caller } from "../access/caller.ts";
import { forReading, type Handler, type Route, type Sender } from "../http/http_server.ts";
import { jsonResponse } from "../http/response_body.ts";
import { scopeOfJob } from "../http/scopes.ts";
import type { ContainmentState } from "../shared/limits.ts";
import type { JobHost, LiveCalls, ReloadTools, ToolService } from "../tool/service.ts";
import type { Meter } from "../tool/telemetry.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { createJobStart } from "./async_call.ts";
import { createConsoleRoutes } from "./console_routes.ts";
import { createToolCall } from "./http_api.ts";
import { sendJobEvents } from "./job_event_stream.ts";
import { sendJobOutput } from "./job_output.ts";
import {
  cancelJob,
  deleteJob,
  getJob,
  type JobHandler,
  listJobs,
  toHandler,
  writeJobInput,
} from "./job_resource.ts";
import { toOpenApi } from "./openapi.ts";
import {
  answerReadiness,
  createHealthRoutes,
  createMetadataRoutes,
  describeCaller,
  listCalls,
  listServers,
  reloadTools,
  renderMetrics,
  scopeOfCall,
  stopCall,
} from "./server_routes.ts";

/** What the routes of the HTTP server need. */
export interface RouteParts {
  readonly service: ToolService;
  /** The calls that run. */
  readonly calls: LiveCalls;
  readonly mcp: Handler;
  readonly maxBodyBytes: number;
  readonly version: string;
  /** Whether the console is served at `/`. */
  readonly console: boolean;
  readonly containment: ContainmentState;
  readonly jobs: JobHost;
  readonly reloadTools: ReloadTools;
  /** Records who has tools loaded again; resolves once that is written. */
  readonly recordReload: (caller: Caller, address: string) => Promise<void>;
  readonly meter: Meter;
  /** Ends waits and event streams that would outlast the server. */
  readonly closing: AbortSignal;
  /** What clients find of this server's OAuth, and where; without it nothing is advertised. */
  readonly resource?: { readonly paths: readonly string[]; readonly metadata: object } | undefined;
}

/**
 * Every path of the HTTP server: MCP, the HTTP API with its jobs, the console, the health check. What has
 * a row here and is for programs has its operation in `openapi.json`, whose `x-codes` are the problems of
 * its own, and a row of `docs/http-api.md`.
 */
export function createRoutes(parts: RouteParts): readonly Route[] {
  const { service, calls, jobs, maxBodyBytes, resource } = parts;
  const scope = "tools:read";
  const ofCall = scopeOfCall(calls, service);
  const ofJob = ({ id = "", caller }: Sender) => scopeOfJob(id, caller, parts);
  const job = (handler: JobHandler) => toHandler(handler, parts);
  const call = createToolCall(service, createJobStart(jobs, parts.closing), maxBodyBytes);
  const writeInput = job(writeJobInput(maxBodyBytes));
  const reload = reloadTools(parts.reloadTools, parts.recordReload);
  return [
    ...createConsoleRoutes(parts.console),
    { method: "POST", path: "/mcp", handler: parts.mcp },
    { method: "POST", path: "/api", handler: call },
    { method: "GET", path: "/api/tools", handler: listTools(service) },
    { method: "GET", path: "/api/me", handler: describeCaller },
    { method: "GET", path: "/api/calls", handler: listCalls(calls), scope },
    { method: "DELETE", path: "/api/calls/{id}", handler: stopCall(calls), scope: ofCall },
    { method: "GET", path: "/api/jobs", handler: job(listJobs), scope },
    { method: "GET", path: "/api/jobs/{id}", handler: job(getJob), scope },
    { method: "DELETE", path: "/api/jobs/{id}", handler: job(deleteJob), scope: ofJob },
    { method: "GET", path: "/api/jobs/{id}/stdout", handler: job(sendJobOutput("stdout")), scope },
    { method: "GET", path: "/api/jobs/{id}/stderr", handler: job(sendJobOutput("stderr")), scope },
    { method: "GET", path: "/api/jobs/{id}/events", handler: job(sendJobEvents), scope },
    { method: "POST", path: "/api/jobs/{id}/cancel", handler: job(cancelJob), scope: ofJob },
    { method: "POST", path: "/api/jobs/{id}/stdin", handler: writeInput, scope: ofJob },
    { method: "POST", path: "/api/admin/reload", handler: reload, admin: "reload tools" },
    { method: "GET", path: "/metrics", handler: renderMetrics(parts.meter), admin: "read metrics" },
    { method: "GET", path: "/api/servers", handler: listServers(jobs), scope },
    { method: "GET", path: "/openapi.json", handler: describeApi(service, parts.version) },
    ...createHealthRoutes(parts.version, parts.containment),
    ...forReading({ path: "/readyz", open: true, handler: () => answerReadiness(jobs) }),
    ...(resource === undefined ? [] : createMetadataRoutes(resource.paths, resource.metadata)),
  ];
}

/** Answers `GET /api/tools`: every tool with its JSON Schemas. */
function listTools(service: ToolService): Handler {
  return (_request, { caller, exchange }) =>
    jsonResponse({ tools: service.list(caller) }, exchange);
}

/** Answers `GET /openapi.json`; callers with the same tools share a document. */
function describeApi(service: ToolService, version: string): Handler {
  const documents = new WeakMap<readonly ToolDefinition[], object>();
  return (_request, { caller, exchange }) => {
    const tools = service.list(caller);
    const document = documents.get(tools) ?? toOpenApi(tools, version);
    documents.set(tools, document);
    return jsonResponse(document, exchange);
  };
}

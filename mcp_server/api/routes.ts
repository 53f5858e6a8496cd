import type { Caller } from "../access/caller.ts";
import type { ContainmentState } from "../shared/limits.ts";
import type { JobHost, LiveCalls, ReloadTools, ToolService } from "../tool/service.ts";
import type { Meter } from "../tool/telemetry.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { createCallRoutes } from "./calls.ts";
import { createConsoleRoutes } from "./console_routes.ts";
import type { DisconnectWatcher } from "../http/disconnect_watcher.ts";
import { createToolCall, createToolList } from "./http_api.ts";
import type { Handler, Route } from "../http/http_server.ts";
import { createJobStart } from "./async_call.ts";
import { createJobRoutes } from "./job_routes.ts";
import { createMetricsRoute } from "./metrics.ts";
import { createServerList } from "./server_list.ts";
import { toOpenApi } from "./openapi.ts";
import { createHealth, createReadiness } from "./health.ts";
import { jsonResponse } from "../http/paced_body.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";
import { createToolReload } from "./tool_reload.ts";

/** What the routes of the HTTP server need. */
export interface RouteParts {
  readonly service: ToolService;
  /** The calls that run. */
  readonly calls: LiveCalls;
  readonly mcp: Handler;
  readonly watch: DisconnectWatcher;
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
  readonly guard: ScopeGuard;
  /** What clients find of this server's OAuth, and where; without it nothing is advertised. */
  readonly resource?: { readonly paths: readonly string[]; readonly metadata: object } | undefined;
}

/** Every path of the HTTP server: MCP, the HTTP API with its jobs, the console, the health check. */
export function createRoutes(parts: RouteParts): ReadonlyMap<string, Route> {
  const { service, mcp, version } = parts;
  const startJob = createJobStart(parts);
  const documents = new WeakMap<readonly ToolDefinition[], object>();
  return new Map<string, Route>([
    ...createConsoleRoutes(parts.console),
    ["/mcp", { methods: { POST: mcp } }],
    ["/api", { methods: { POST: createToolCall({ ...parts, startJob }) } }],
    ["/api/tools", { methods: { GET: createToolList(service) } }],
    ["/api/me", { methods: { GET: describeCaller } }],
    ...createCallRoutes(parts),
    ...createJobRoutes(parts),
    ["/api/admin/reload", { methods: { POST: createToolReload(parts) } }],
    ["/metrics", createMetricsRoute(parts.meter, parts.guard)],
    ["/api/servers", { methods: { GET: createServerList(parts.jobs, parts.guard) } }],
    ["/openapi.json", {
      methods: {
        GET: (_request, { caller, exchange }) => {
          const tools = service.list(caller);
          const document = documents.get(tools) ?? toOpenApi(tools, version);
          documents.set(tools, document);
          return jsonResponse(document, exchange);
        },
      },
    }],
    ["/healthz", createHealth(parts)],
    ["/readyz", createReadiness(parts.jobs)],
    ...createMetadataRoutes(parts),
  ]);
}

/** The metadata of the protected resource, which everybody may read (RFC 9728, section 3). */
function createMetadataRoutes({ resource }: RouteParts): [path: string, route: Route][] {
  if (resource === undefined) return [];
  const { paths, metadata } = resource;
  const headers = { "cache-control": "public, max-age=600" };
  const answer = () => Response.json(metadata, { headers });
  return paths.map((path) => [path, { methods: { GET: answer, HEAD: answer }, open: true }]);
}

/** Answers `GET /api/me`: the caller as the server knows it; without `rights` it has them all. */
const describeCaller: Handler = (_request, { caller, exchange }) => {
  const { name, rights, scopes } = caller;
  return jsonResponse({ name, rights, scopes }, exchange);
};

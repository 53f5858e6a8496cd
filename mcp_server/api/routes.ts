import type { Caller } from "../access/caller.ts";
import { forReading, type Handler, type Route, type Sender } from "../http/http_server.ts";
import { jsonResponse } from "../http/body.ts";
import { scopeOfJob } from "../http/scopes.ts";
import type { ContainmentState } from "../shared/limits.ts";
import type { ApprovalDesk, CallHistory, FleetDesk, LiveCalls } from "../tool/fleet_desk.ts";
import type { JobHost, Meter, ReloadTools, ToolService } from "../tool/service.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import {
  decideApproval,
  describeFigures,
  describeHealth,
  listApprovals,
  listCalls,
  serverOf,
  stopCall,
} from "./fleet_resource.ts";
import { createToolCall } from "./http_api.ts";
import { sendJobEvents, sendJobOutput, sendMergedOutput } from "./job_output.ts";
import {
  answerJob,
  cancelJob,
  deleteJob,
  getJob,
  type JobHandler,
  listJobs,
  toHandler,
  writeJobInput,
} from "./job_resource.ts";
import { toOpenApi } from "./openapi.ts";
import { problemOf, problemResponse } from "../http/problem.ts";
import { messageOf } from "../shared/error.ts";

/** What the routes of the HTTP server need. */
interface RouteParts {
  readonly service: ToolService;
  /** The calls that run. */
  readonly calls: LiveCalls;
  /** The calls that have ended. */
  readonly history: CallHistory;
  /** The calls that wait for approval. */
  readonly approvals: ApprovalDesk;
  /** All servers that share the jobs. */
  readonly fleet: FleetDesk;
  readonly mcp: Handler;
  readonly maxBodyBytes: number;
  readonly version: string;
  /** How people log in to the console at `/`; `false` if that is not served. */
  readonly console: false | { readonly login: ConsoleLogin | undefined };
  readonly containment: ContainmentState;
  readonly jobs: JobHost;
  /** The callers of the callers file; absent without one. */
  readonly callers?: { list(): readonly Caller[] } | undefined;
  /** The caller of `MCP_TOKEN`. */
  readonly defaultCaller: Caller;
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
  const { service, approvals, fleet, jobs, maxBodyBytes, resource } = parts;
  const scope = "tools:read";
  const ofJob = ({ id = "", caller }: Sender) => scopeOfJob(id, caller, parts);
  const job = (handler: JobHandler) => toHandler(handler, parts);
  const call = createToolCall(parts);
  const writeInput = job(writeJobInput(maxBodyBytes));
  const list = listApprovals(approvals, fleet);
  const decide = decideApproval(fleet);
  const reload = reloadTools(parts.reloadTools, parts.recordReload);
  const metrics = renderMetrics(parts.meter, fleet);
  const listHistory = describe(async ({ caller }) => ({ calls: await parts.history.list(caller) }));
  const figures = describeFigures(fleet);
  const listTools = describe(async ({ caller }) => ({ tools: await service.list(caller) }));
  const listServers = describe(async () => ({ servers: await jobs.servers() }));
  const describeCaller = describe(({ caller }) => toView(caller));
  const listCallers = describe(() => ({
    callers: [parts.defaultCaller, ...parts.callers?.list() ?? []].map(toView),
  }));
  return [
    ...createConsoleRoutes(parts.console),
    { method: "POST", path: "/mcp", handler: parts.mcp },
    { method: "POST", path: "/api", handler: call },
    { method: "GET", path: "/api/tools", handler: listTools },
    { method: "GET", path: "/api/me", handler: describeCaller },
    { method: "GET", path: "/api/callers", handler: listCallers, admin: "see all callers" },
    { method: "GET", path: "/api/calls", handler: listCalls(parts.calls, fleet), scope },
    { method: "DELETE", path: "/api/calls/{id}", handler: stopCall(fleet) },
    { method: "GET", path: "/api/health", handler: describeHealth(fleet), scope },
    { method: "GET", path: "/api/history", handler: listHistory, scope },
    { method: "GET", path: "/api/figures", handler: figures, admin: "read metrics" },
    { method: "GET", path: "/api/jobs", handler: job(listJobs), scope },
    { method: "GET", path: "/api/jobs/{id}", handler: job(getJob), scope },
    { method: "DELETE", path: "/api/jobs/{id}", handler: job(deleteJob), scope: ofJob },
    { method: "GET", path: "/api/jobs/{id}/stdout", handler: job(sendJobOutput("stdout")), scope },
    { method: "GET", path: "/api/jobs/{id}/stderr", handler: job(sendJobOutput("stderr")), scope },
    { method: "GET", path: "/api/jobs/{id}/output", handler: job(sendMergedOutput), scope },
    { method: "GET", path: "/api/jobs/{id}/events", handler: job(sendJobEvents), scope },
    { method: "POST", path: "/api/jobs/{id}/cancel", handler: job(cancelJob), scope: ofJob },
    { method: "POST", path: "/api/jobs/{id}/stdin", handler: writeInput, scope: ofJob },
    { method: "POST", path: "/api/jobs/{id}/answer", handler: job(answerJob), scope: ofJob },
    { method: "GET", path: "/api/approvals", handler: list, admin: "see what waits for approval" },
    { method: "POST", path: "/api/approvals/{id}", handler: decide, admin: "decide about calls" },
    { method: "POST", path: "/api/admin/reload", handler: reload, admin: "reload tools" },
    { method: "GET", path: "/metrics", handler: metrics, admin: "read metrics" },
    { method: "GET", path: "/api/servers", handler: listServers, scope },
    { method: "GET", path: "/openapi.json", handler: describeApi(service, parts.version) },
    ...createHealthRoutes(parts.version, parts.containment),
    ...forReading({ path: "/readyz", open: true, handler: () => answerReadiness(jobs) }),
    ...(resource === undefined ? [] : createMetadataRoutes(resource.paths, resource.metadata)),
  ];
}

/** A caller as it is shown; without `rights`, it has them all. */
function toView({ name, rights, scopes }: Caller): Caller {
  return { name, ...(rights && { rights }), ...(scopes && { scopes }) };
}

/** Answers with what is known as JSON. */
function describe(answer: (sender: Sender) => unknown): Handler {
  return async (_request, sender) => jsonResponse(await answer(sender), sender.exchange);
}

/** Answers `GET /openapi.json`; callers with the same tools share a document. */
function describeApi(service: ToolService, version: string): Handler {
  const documents = new WeakMap<readonly ToolDefinition[], object>();
  return async (_request, { caller, exchange }) => {
    const tools = await service.list(caller);
    const document = documents.get(tools) ?? toOpenApi(tools, version);
    documents.set(tools, document);
    return jsonResponse(document, exchange);
  };
}

/**
 * Creates the routes of the health check: `ok` for everyone; with `?verbose`, which requires the
 * token, the version and how commands are contained.
 */
function createHealthRoutes(version: string, containment: ContainmentState): Route[] {
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
function answerReadiness({ state }: Pick<JobHost, "state">): Response {
  if (state === "ready") return new Response("ready");
  const headers = { "retry-after": "10" };
  return new Response(`not ready: ${state}\n`, { status: 503, headers });
}

/** Answers `GET /metrics`; on a port of their own there are only those of this server. */
function renderMetrics(meter: Meter, fleet?: FleetDesk): Handler {
  return async (request) => {
    const { contentType, text: own } = await meter.render();
    const server = fleet && serverOf(request);
    const text = server === undefined ? own : (await fleet?.metrics(server))?.text;
    return new Response(text, { headers: { "content-type": contentType } });
  };
}

/** The routes of a port of its own, on which nobody needs a token. */
export function createMetricsRoutes(meter: Meter): readonly Route[] {
  return [{ method: "GET", path: "/metrics", open: true, handler: renderMetrics(meter) }];
}

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
function createMetadataRoutes(paths: readonly string[], metadata: object): Route[] {
  const headers = { "cache-control": "public, max-age=600" };
  const handler = () => Response.json(metadata, { headers });
  return paths.flatMap((path) => forReading({ path, open: true, handler }));
}

/** The files of the console, and their media types; the module with their texts is loaded late. */
const TYPES: Readonly<Record<string, string>> = {
  "/": "text/html; charset=utf-8",
  "/console/main.js": "text/javascript; charset=utf-8",
  "/console/terminal.js": "text/javascript; charset=utf-8",
  "/console/style.css": "text/css; charset=utf-8",
  "/console/icon.svg": "image/svg+xml",
};

/** How the console logs people in: as a public client of the issuer (OAuth 2.1, with PKCE). */
export interface ConsoleLogin {
  readonly issuer: string;
  /** What its tokens are for. */
  readonly resource: string;
  readonly clientId: string;
}

/**
 * What the page may load and do: its own files and calls of this server, those of the issuer if people
 * log in there, and nothing inline.
 */
function policyFor(login: ConsoleLogin | undefined): string {
  const issuer = login === undefined ? "" : ` ${new URL(login.issuer).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    `connect-src 'self'${issuer}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types vue",
  ].join("; ");
}

const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-cache",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "vary": "Accept-Encoding",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * The paths of the console, which are open to browsers of any origin and hold nothing secret: every
 * call that the page makes needs the token. If it is switched off, `/` says so.
 */
function createConsoleRoutes(console: RouteParts["console"]): Route[] {
  if (console === false) {
    const detail = "The console is switched off; MCP_CONSOLE=on switches it on";
    const handler = () => problemResponse(problemOf("NOT_FOUND", detail));
    return forReading({ path: "/", open: true, handler });
  }
  const headers = { ...HEADERS, "content-security-policy": policyFor(console.login) };
  const own = { open: true, anyOrigin: true } as const;
  const sendLogin = () => Response.json(console.login ?? {}, { headers });
  return [
    ...Object.entries(TYPES).flatMap(([path, type]) => {
      const sending = { path, type, headers };
      return forReading({ ...own, path, handler: (request) => sendFile(request, sending) });
    }),
    ...forReading({ ...own, path: "/console/login.json", handler: sendLogin }),
  ];
}

/** A file of the console: its text as gzip in base64, and a name of this version of it. */
interface ConsoleFile {
  readonly etag: string;
  readonly gzip: string;
}

/** A file as it is sent. */
interface Sending {
  readonly path: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function sendFile(
  request: Request,
  { path, type, headers: always }: Sending,
): Promise<Response> {
  const { CONSOLE_FILES } = await import("./console_files.js");
  const files: Readonly<Record<string, ConsoleFile>> = CONSOLE_FILES;
  const file = files[path];
  if (file === undefined) throw new Error(`Cannot find the file of "${path}"`);
  const etag = `"${file.etag}"`;
  const headers = { ...always, etag };
  if (request.headers.get("if-none-match")?.includes(etag)) {
    return new Response(null, { status: 304, headers });
  }
  const bytes = Uint8Array.fromBase64(file.gzip);
  const isPlain = !/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  const body = request.method === "HEAD" ? null : isPlain ? unzip(bytes) : bytes;
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": type,
      ...(isPlain ? {} : { "content-encoding": "gzip" }),
    },
  });
}

function unzip(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from([bytes]).pipeThrough(new DecompressionStream("gzip"));
}

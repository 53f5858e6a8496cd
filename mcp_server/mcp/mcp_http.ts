import * as z from "zod";
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type McpServer,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { type Caller, type Scope, scopeOf } from "../access/caller.ts";
import { type JobScopeParts, scopeOfJob } from "../http/scopes.ts";
import type { JobHost, ToolService } from "../tool/service.ts";
import type { StartMessageSpan } from "../tool/tracing.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { JobError } from "../tool/job.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { pacedBody, readJson, ResponseBacklog, UNBUFFERED } from "../http/body.ts";
import { FastPath, mirrorsArguments } from "./fast_path.ts";
import type { Handler, Sender } from "../http/http_server.ts";
import {
  LegacyCalls,
  type LegacySession,
  type McpCaller,
  type StoppableCall,
} from "./mcp_caller.ts";
import { MessageSpans } from "./message_spans.ts";
import { knowsTasks, TASKS } from "./tasks.ts";
import { problemResponse, toJobProblem } from "../http/problem.ts";

/** The transport of MCP over Streamable HTTP. */
export interface McpHttpTransport {
  readonly handler: Handler;
  /** Notifies the clients that listen (MCP 2026-07-28, `subscriptions/listen`). */
  notifyToolsChanged(): void;
  /** Ends the streams that are open. */
  close(): Promise<void>;
}

/** What the transport works with. */
interface McpHttpParts {
  readonly service: ToolService;
  readonly jobs: JobHost;
  readonly createServer: (caller: McpCaller) => McpServer;
  /** Name and version of the server, as `createServer` has them. */
  readonly serverInfo: object;
  /** Begins the span of a message. @default {messages are not traced} */
  readonly startMessage?: StartMessageSpan | undefined;
  readonly maxBodyBytes: number;
  /** Ends the streams that have no answer of their own, before the server ends. */
  readonly closing: AbortSignal;
  readonly onError: (error: unknown) => void;
}

const SESSION_HEADER = "mcp-session-id";
const PARSE_ERROR = -32_700;

/**
 * Serves MCP over HTTP: revision 2026-07-28, and those before it without a session table. The body
 * is read and parsed once, here.
 */
export function createMcpHttpTransport(parts: McpHttpParts): McpHttpTransport {
  const calls = new LegacyCalls();
  const fastPath = new FastPath(parts.service, parts.serverInfo);
  const factories = new WeakMap<Request, (era: McpCaller["era"]) => McpServer>();
  const mcp = createMcpHandler(({ requestInfo, era }) => {
    const server = requestInfo && factories.get(requestInfo)?.(era);
    if (server === undefined) throw new Error("Cannot serve a request that did not arrive here");
    return server;
  }, {
    onerror: parts.onError,
    // The closed stream cancels the call, and `Deno.serve` notices a client that closes the
    // connection only once the answer has begun, if the request is larger than 512 bytes.
    responseMode: "sse",
  });

  return {
    notifyToolsChanged: () => mcp.notify.toolsChanged(),
    close: () => mcp.close(),
    handler: async (request, sender) => {
      const { caller, exchange } = sender;
      const body = await readJson(request, { maxBytes: parts.maxBodyBytes, exchange });
      if (!body.ok) {
        return body.problem.code === "MALFORMED_JSON"
          ? parseError(body.problem.detail)
          : problemResponse(body.problem);
      }
      const spans = parts.startMessage && spansOf(request, parts.startMessage);
      spans?.received(body.value);
      const rejection = await checkScopes(body.value, sender, parts) ??
        rejectTaskSubscription(body.value) ?? rejectLongWait(body.value, sender);
      if (rejection !== undefined) return spans?.over(rejection) ?? rejection;
      const sessionId = request.headers.get(SESSION_HEADER);
      if (sessionId !== null) {
        cancelNamedCall(calls, { caller: caller.name, id: sessionId }, body.value);
      }
      const backlog = new ResponseBacklog();
      const from = { ...toCaller(request, sender, calls), backlog, handOver: spans?.handOver };
      const begun = await fastPath.begin(request, body.value, { from, pace: exchange });
      if (begun instanceof Response) return begun;

      const single = !Array.isArray(body.value);
      const name = nameOfCall(body.value);
      const called = name === undefined ? undefined : await parts.service.find(name, caller);
      factories.set(request, (era) => {
        const server = parts.createServer({ ...from, era, single, begun });
        if (called !== undefined) registerHeaderTool(server, called);
        return server;
      });
      const fetched = await mcp.fetch(request, { parsedBody: body.value }).catch((error) => {
        begun?.abandon();
        spans?.close(500);
        throw error;
      });
      const response = spans?.over(fetched) ?? fetched;
      if (!response.ok) begun?.abandon();
      const { headers } = response;
      headers.set(UNBUFFERED.name, UNBUFFERED.value);
      if (opensSession(body.value, response)) headers.set(SESSION_HEADER, crypto.randomUUID());
      const onTaken = (bytes: number) => backlog.take(bytes);
      const until = isSubscription(body.value)
        ? AbortSignal.any([parts.closing, sender.revoked ?? []].flat())
        : undefined;
      const sent = response.body && pacedBody(response.body, exchange, { onTaken, until });
      return new Response(sent, { status: response.status, headers });
    },
  };
}

/** Answers before the SDK does, because only the status of a response makes clients step up. */
async function checkScopes(
  body: unknown,
  sender: Sender,
  parts: McpHttpParts,
): Promise<Response | undefined> {
  const { caller } = sender;
  if (caller.scopes === undefined) return undefined;
  return sender.rejectWithout(await scopesOfRequest(body, caller, parts));
}

/** The methods that change a task. */
const TASK_CHANGES: ReadonlySet<unknown> = new Set(["tasks/cancel", "tasks/update"]);
/** The SDK rejects a batch with more messages. */
const MOST_MESSAGES = 100;

/**
 * The scopes that an MCP request needs: those of the tools that it calls, and of the tasks that it
 * reaches. Whatever else there is, such as the list of tools, needs only a token. A tool that the
 * caller may not use at all needs none: its call is answered, and refused, as a call.
 */
async function scopesOfRequest(
  body: unknown,
  caller: Caller,
  parts: JobScopeParts,
): Promise<readonly Scope[]> {
  const messages = Array.isArray(body) ? body.slice(0, MOST_MESSAGES) : [body];
  const needed = await Promise.all(
    messages.filter(isJsonObject).map((message) => scopesOfMessage(message, caller, parts)),
  );
  return needed.flat();
}

async function scopesOfMessage(
  { method, params }: JsonObject,
  caller: Caller,
  parts: JobScopeParts,
): Promise<readonly Scope[]> {
  const { name, taskId } = isJsonObject(params) ? params : {};
  if (method === "tools/call") {
    const tool = await parts.service.find(String(name), caller);
    return tool === undefined ? [] : [scopeOf(tool)];
  }
  if (TASK_CHANGES.has(method)) return await scopeOfJob(String(taskId), caller, parts);
  const reads = method === "resources/read" || String(method).startsWith("tasks/");
  return reads ? ["tools:read"] : [];
}

/** Whether a message asks for a stream of changes, which lasts until one side ends it. */
function isSubscription(body: unknown): body is JsonObject {
  return isJsonObject(body) && body.method === "subscriptions/listen";
}

/**
 * Rejects a subscription to tasks by a client that does not declare them; the SDK, which answers
 * subscriptions, knows no tasks. Returns `undefined` for any other message.
 */
function rejectTaskSubscription(body: unknown): Response | undefined {
  if (!isSubscription(body)) return undefined;
  const { id, params } = body;
  if (!isJsonObject(params) || !isJsonObject(params.notifications)) return undefined;
  if (params.notifications.taskIds === undefined || declares(params._meta)) return undefined;
  const error = {
    code: ProtocolErrorCode.MissingRequiredClientCapability,
    message: `Cannot subscribe to tasks: the request does not declare the capability "${TASKS}"`,
    data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
  };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
}

function declares(meta: unknown): boolean {
  return isJsonObject(meta) && knowsTasks(meta[CLIENT_CAPABILITIES_META_KEY]);
}

/** The methods whose answer may take as long as the client likes, and which are no calls. */
const LONG_METHODS: readonly unknown[] = ["subscriptions/listen", "tasks/result"];

/** Rejects a stream or a wait if the caller, or all, have too many. */
function rejectLongWait(body: unknown, { occupy }: Sender): Response | undefined {
  const isLong = [body].flat().some((one) =>
    isJsonObject(one) && LONG_METHODS.includes(one.method)
  );
  if (!isLong) return undefined;
  try {
    occupy();
    return undefined;
  } catch (error) {
    if (error instanceof JobError) return problemResponse(toJobProblem(error));
    throw error;
  }
}

function spansOf({ headers }: Request, start: StartMessageSpan): MessageSpans {
  return new MessageSpans(start, {
    transport: "mcp-http",
    traceparent: headers.get("traceparent") ?? undefined,
    protocolVersion: headers.get("mcp-protocol-version"),
  });
}

function toCaller(
  { headers }: Request,
  { caller, remoteAddr, revoked }: Sender,
  calls: LegacyCalls,
): Omit<McpCaller, "backlog" | "era"> {
  const sessionId = headers.get(SESSION_HEADER);
  const traceparent = headers.get("traceparent");
  return {
    transport: "mcp-http",
    caller,
    address: remoteAddr.hostname,
    revoked,
    version: headers.get("mcp-protocol-version"),
    traceparent: traceparent ?? undefined,
    track: sessionId === null
      ? undefined
      : (id: string | number, call: StoppableCall) =>
        calls.track({ caller: caller.name, id: sessionId }, id, call),
  };
}

const CANCELLED = "notifications/cancelled";
const Cancelled = z.object({
  params: z.object({ requestId: z.union([z.string(), z.number()]), reason: z.string().optional() }),
});

function cancelNamedCall(calls: LegacyCalls, session: LegacySession, body: unknown): void {
  if (!isJsonObject(body) || body.method !== CANCELLED) return;
  const { success, data } = Cancelled.safeParse(body);
  if (!success) return;
  const { requestId, reason = "The client cancelled the call" } = data.params;
  calls.cancel(session, requestId, reason);
}

function opensSession(body: unknown, response: Response): boolean {
  return response.ok && isJsonObject(body) && body.method === "initialize";
}

function parseError(message: string): Response {
  const error = { code: PARSE_ERROR, message };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
}

/**
 * Passes the called tool's schema to the SDK if arguments are mirrored in headers, which the SDK
 * compares with the body (MCP specification, "Custom Headers from Tool Parameters").
 */
function registerHeaderTool(server: McpServer, { name, inputSchema }: ToolDefinition): void {
  if (!mirrorsArguments(inputSchema)) return;
  const jsonSchema = { input: () => ({ ...inputSchema }), output: () => ({ ...inputSchema }) };
  server.registerTool(name, {
    inputSchema: {
      "~standard": {
        version: 1,
        vendor: "trestle",
        validate: (value: unknown) => ({ value }),
        jsonSchema,
      },
    },
  }, () => ({ content: [] }));
}

/** The tool that a message calls; checked by hand, because every request pays for it. */
function nameOfCall(body: unknown): string | undefined {
  if (!isJsonObject(body) || body.method !== "tools/call") return undefined;
  const { params } = body;
  return isJsonObject(params) && typeof params.name === "string" ? params.name : undefined;
}

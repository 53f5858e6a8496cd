import {
  type CallToolResult,
  isSpecType,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { CallOutcome, ToolService, Transport } from "../domain/service.ts";
import type { CallNotification, ToolDefinition } from "../domain/tool.ts";
import type { Backlog } from "./paced_body.ts";
import { CallProgress } from "./call_progress.ts";

/** What an MCP server reports about itself. */
export interface McpIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** What a model should know about the server as a whole; clients cut it at 2 KB. */
  readonly instructions: string;
}

/** How the calls of one connection or one request arrive. */
export interface McpCaller {
  readonly transport: Transport;
  readonly caller?: string;
  /** Lets a call be stopped from outside its own connection; see `LegacyCalls`. */
  readonly track?: (requestId: string | number, signal: AbortSignal) => TrackedCall;
  /** What the client has not read yet; while it is full, notifications are dropped. */
  readonly backlog: Backlog;
  /** Whether the call is the whole request, so that the response ends with it. @default {false} */
  readonly single?: boolean;
}

/** A call that may be stopped in more than one way. */
export interface TrackedCall extends Disposable {
  readonly signal: AbortSignal;
}

/** How long clients may keep the list of tools, which changes only when the server restarts. */
const LIST_CACHE = { ttlMs: 60_000, cacheScope: "private" } as const;

/**
 * Creates the SDK's server: over stdio one for the connection; over HTTP one for each request,
 * which lives until its response ends, so that nothing may be kept in it between requests. The list
 * is created once, and no tool is registered with the SDK, because that would cost every request
 * the time of all tools.
 */
export function createMcpServerFactory(
  service: ToolService,
  identity: McpIdentity,
): (caller: McpCaller) => McpServer {
  const { instructions, ...info } = identity;
  const list: { tools: Tool[] } = { tools: service.list().map(toSdkTool) };
  return (caller) => {
    const mcp = new McpServer(info, {
      instructions,
      capabilities: { tools: { listChanged: false }, logging: {} },
      cacheHints: { "tools/list": LIST_CACHE, "server/discover": LIST_CACHE },
    });
    mcp.server.setRequestHandler("tools/list", () => list);
    mcp.server.setRequestHandler("tools/call", async ({ params }, context) => {
      const { outcome, unwanted } = await callTool(service, params, { caller, context });
      if (unwanted) await mcp.close();
      const schema = service.find(params.name)?.outputSchema;
      return mcp.server.projectCallToolResult(toSdkResult(outcome), schema);
    });
    return mcp;
  };
}

async function callTool(
  service: ToolService,
  params: { name: string; arguments?: Record<string, unknown> },
  { caller, context }: { caller: McpCaller; context: ServerContext },
): Promise<{ outcome: CallOutcome; unwanted: boolean }> {
  const { mcpReq } = context;
  using tracked = caller.track?.(mcpReq.id, mcpReq.signal);
  using progress = progressOf(context, caller.backlog);
  const outcome = await service.call(params.name, params.arguments ?? {}, {
    transport: caller.transport,
    ...(caller.caller === undefined ? {} : { caller: caller.caller }),
    client: tracked ?? mcpReq,
    requestId: mcpReq.id,
    ...(mcpReq._meta === undefined ? {} : { meta: { ...mcpReq._meta } }),
    onProgress: (update) => progress?.update(update),
    onOutput: (event) => progress?.output(event),
    onNotification: (notification) => notify(context, notification, caller.backlog),
  });
  // A cancelled call gets no answer (MCP 2025-11-25, "Cancellation").
  const unwanted = caller.single === true && tracked?.signal.aborted === true;
  return { outcome, unwanted };
}

/**
 * Sends a notification of a tool: a log message only if the client requested its level, and nothing
 * to a client that doesn't read.
 */
function notify(
  { mcpReq }: ServerContext,
  { method, params }: CallNotification,
  backlog: Backlog,
): Promise<void> {
  if (backlog.isFull) return Promise.resolve();
  const message = { method, params: { ...params } };
  backlog.add(JSON.stringify(message).length);
  if (!isSpecType.LoggingMessageNotification(message)) return mcpReq.notify(message);
  const { level, data, logger } = message.params;
  return mcpReq.log(level, data, logger);
}

function progressOf({ mcpReq }: ServerContext, backlog: Backlog): CallProgress | undefined {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return undefined;
  return new CallProgress((message) => {
    if (backlog.isFull) return false;
    const params = { progressToken: token, ...message };
    backlog.add(JSON.stringify(params).length);
    // A disconnected client can't be notified; its call is stopped by its signal.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    return true;
  });
}

function toSdkResult(outcome: CallOutcome): CallToolResult {
  if (outcome.ok) return { ...outcome.result };
  const { refusal, result } = outcome;
  if (result !== undefined) return { ...result };
  if (refusal.kind === "UNKNOWN_TOOL") {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, refusal.message);
  }
  return { content: [{ type: "text", text: refusal.message }], isError: true };
}

function toSdkTool({ inputSchema, outputSchema, ...described }: ToolDefinition): Tool {
  return {
    ...described,
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema } }),
  };
}

import { McpServer, type ServerContext, type Tool } from "@modelcontextprotocol/server";
import type { Caller } from "../access/caller.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { CallClient, type McpCaller, toMcpResult } from "./mcp_caller.ts";
import { CallReports } from "./call_reports.ts";
import {
  addLegacyTaskMethods,
  LEGACY_TASKS,
  startLegacyTask,
  takesLegacyTasks,
} from "./legacy_tasks.ts";
import { addTaskMethods, TASKS } from "./tasks.ts";
import { type CallAnswer, type ToolCallParts, ToolCalls } from "./tool_calls.ts";

/** What an MCP server reports about itself. */
export interface McpIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** What a model should know about the server as a whole; clients cut it at 2 KB. */
  readonly instructions: string;
}

/** What MCP servers are made of. */
export interface McpServerParts extends ToolCallParts {
  /** How long clients may keep the list of tools, in milliseconds. */
  readonly listTtlMs: number;
}

/**
 * Creates the SDK's server: over stdio one for the connection; over HTTP one for each request that
 * the SDK answers, which lives until its response ends, so that nothing may be kept in it between
 * requests. The list is created once, and no tool is registered with the SDK, because that would cost
 * every request the time of all tools.
 */
export function createMcpServerFactory(
  parts: McpServerParts,
  identity: McpIdentity,
): (caller: McpCaller) => McpServer {
  const { instructions, ...info } = identity;
  const { service, jobs, limits: { jobTtlMs: ttlMs }, listTtlMs } = parts;
  const listCache = { ttlMs: listTtlMs, cacheScope: "private" } as const;
  const calls = new ToolCalls(parts);
  const waiting = new Set<ServerContext>();
  const lists = new WeakMap<readonly ToolDefinition[], { tools: Tool[] }>();
  const listFor = (caller: Caller) => {
    const tools = service.list(caller);
    const list = lists.get(tools) ?? { tools: tools.map(toSdkTool) };
    lists.set(tools, list);
    return list;
  };
  return (caller) => {
    const { address, transport } = caller;
    const mcp = new McpServer(info, {
      instructions,
      capabilities: {
        tools: { listChanged: canListen(caller) },
        logging: {},
        ...(caller.era === "modern" ? { extensions: { [TASKS]: {} } } : { tasks: LEGACY_TASKS }),
      },
      cacheHints: { "tools/list": listCache, "server/discover": listCache },
    });
    const { server } = mcp;
    const tasks = {
      server,
      service,
      ttlMs,
      jobs: jobs.forCaller(caller.caller, address, transport),
    };
    server.setRequestHandler("tools/list", () => listFor(caller.caller));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      if (caller.era === "legacy" && params.task !== undefined) {
        const { name, arguments: args = {} } = params;
        const task = await startLegacyTask({ name, args }, context, { ...tasks, waiting, caller });
        // The SDK refuses a result without `content`, although this one has none in MCP.
        return { content: [], task };
      }
      const { answer, unwanted } = await callTool(calls, params, { mcp, caller, context });
      if (unwanted) await mcp.close();
      if (answer.type === "input") return answer.result;
      if (answer.type === "task") return { content: [], resultType: "task", ...answer.task };
      const schema = service.find(params.name, caller.caller)?.outputSchema;
      return server.projectCallToolResult(toMcpResult(answer.outcome), schema);
    });
    if (caller.era === "modern") addTaskMethods(tasks, calls.questions);
    else addLegacyTaskMethods({ ...tasks, waiting, caller });
    return mcp;
  };
}

/**
 * Whether a client can be notified of a changed list: over stdio, and since 2026-07-28 by
 * `subscriptions/listen`. Before, HTTP clients would need a session, which this server has not.
 */
function canListen({ transport, era }: McpCaller): boolean {
  return transport === "mcp-stdio" || era === "modern";
}

async function callTool(
  calls: ToolCalls,
  params: { name: string; arguments?: Record<string, unknown> },
  { mcp, caller, context }: {
    mcp: McpServer;
    caller: McpCaller;
    context: ServerContext;
  },
): Promise<{ answer: CallAnswer; unwanted: boolean }> {
  const { mcpReq } = context;
  const client = new CallClient(mcpReq);
  using _tracked = caller.track?.(mcpReq.id, client);
  const wanted = { progressToken: mcpReq._meta?.progressToken, envelope: mcpReq.envelope };
  using reports = caller.begun?.reports ?? new CallReports(wanted, caller.backlog);
  reports.connect(mcpReq);
  const { name, arguments: args = {} } = params;
  const request = { mcp, caller, context, signal: client.signal, listeners: reports.listeners };
  const answer = await calls.answer({ name, args }, request);
  // A cancelled call gets no answer (MCP 2025-11-25, "Cancellation").
  const isStopped = client.isStopped || caller.begun?.isStopped === true;
  return { answer, unwanted: caller.single === true && isStopped };
}

/** A tool as clients get it; the SDK removes `execution` for those of 2026-07-28. */
function toSdkTool(tool: ToolDefinition): Tool {
  const { inputSchema, outputSchema, execution, ...described } = tool;
  return {
    ...described,
    // Plain calls go on to be answered before 2026-07-28, also those of a tool that requires tasks.
    ...(takesLegacyTasks(execution) ? { execution: { taskSupport: "optional" } } : {}),
    inputSchema: { ...inputSchema, type: "object" },
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema } }),
  };
}

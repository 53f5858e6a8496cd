import {
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Caller } from "../access/caller.ts";
import type { ToolDefinition, ToolExecution } from "../tool/tool.ts";
import { CallClient, type McpCaller, toCallOptions, toMcpResult } from "./mcp_caller.ts";
import {
  addLegacyTaskMethods,
  LEGACY_TASKS,
  startLegacyTask,
  takesLegacyTasks,
} from "./legacy_tasks.ts";
import {
  addTaskMethods,
  capabilitiesOf,
  declaresTasks,
  orProtocolError,
  requireTasks,
  TASKS,
  type TaskView,
  toTask,
} from "./tasks.ts";
import { JobError, type ParsedPlacement, placementOfMeta } from "../tool/job.ts";
import type { CallOptions, JobHost, ToolService } from "../tool/service.ts";
import type { Limits } from "../shared/limits.ts";
import type { CallOutcome } from "../tool/result.ts";
import { addResourceMethods } from "./resources.ts";
import { askOf, type CallListeners, CallReports, HeldCall } from "./held_call.ts";
import { SuspendedCalls, toInputRequests } from "./suspended_calls.ts";

/** What an MCP server reports about itself. */
interface McpIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly websiteUrl: string;
  /** What a model should know about the server as a whole; clients cut it at 2 KB. */
  readonly instructions: string;
}

/** What MCP servers are made of. */
interface McpServerParts extends ToolCallParts {
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
  const listFor = async (caller: Caller) => {
    const tools = await service.list(caller);
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
        resources: {},
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
    addResourceMethods({ server, service, caller });
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
      const schema = (await service.find(params.name, caller.caller))?.outputSchema;
      const version = caller.version ?? server.getNegotiatedProtocolVersion() ?? null;
      return server.projectCallToolResult(toMcpResult(answer.outcome, version), schema);
    });
    if (caller.era === "modern") addTaskMethods(tasks);
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
  const { inputSchema, outputSchema, execution, icons, ...described } = tool;
  return {
    ...described,
    icons: icons?.map(({ sizes, ...icon }) => ({ ...icon, sizes: sizes && [...sizes] })),
    // Plain calls go on to be answered before 2026-07-28, also those of a tool that requires tasks.
    execution: takesLegacyTasks(execution) ? { taskSupport: "optional" } : undefined,
    inputSchema: { ...inputSchema, type: "object" },
    outputSchema: outputSchema && { ...outputSchema },
  };
}

/** What calls are carried out with, and when they become tasks. */
interface ToolCallParts {
  readonly service: ToolService;
  readonly jobs: JobHost;
  readonly limits: Pick<Limits, "taskAfterMs" | "jobTtlMs">;
}

/** A `tools/call`. */
interface ToolCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/** Where a `tools/call` came from, and who waits for it. */
interface CallRequest {
  readonly mcp: McpServer;
  readonly caller: McpCaller;
  readonly context: ServerContext;
  /** Stops the call. */
  readonly signal: AbortSignal;
  readonly listeners: CallListeners;
}

/** The answer to a `tools/call`. */
type CallAnswer =
  | { readonly type: "outcome"; readonly outcome: CallOutcome }
  | { readonly type: "input"; readonly result: InputRequiredResult }
  | { readonly type: "task"; readonly task: TaskView };

/**
 * The calls of MCP clients. A call that asks is answered with its question and waits for the next
 * request; if the client knows tasks, a call that takes long becomes one.
 */
class ToolCalls {
  readonly #parts: ToolCallParts;
  readonly #suspended = new SuspendedCalls();

  constructor(parts: ToolCallParts) {
    this.#parts = parts;
  }

  /** Begins a call, or continues one that has begun already or that the client answers. */
  async answer(call: ToolCall, request: CallRequest): Promise<CallAnswer> {
    const { caller: { begun }, context: { mcpReq } } = request;
    const state = mcpReq.requestState<unknown>();
    const known = state === undefined ? begun : this.#resume(state, call, request);
    const held = known ?? new HeldCall();
    using _attached = held.attach(request.signal, request.listeners);
    if (known === undefined) return await this.#begin(held, call, request);
    if (state !== undefined) held.questions.answer(mcpReq.inputResponses ?? {});
    return await this.#wait(held, call, request);
  }

  #resume(state: unknown, call: ToolCall, { caller }: CallRequest): HeldCall {
    const held = this.#suspended.take(String(state), caller.caller, call);
    if (held !== undefined) return held;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "Cannot continue the call: its requestState is unknown or was used; begin again",
    );
  }

  async #begin(held: HeldCall, call: ToolCall, request: CallRequest): Promise<CallAnswer> {
    const { context, caller } = request;
    const placed = placementOfMeta(context.mcpReq._meta);
    if (placed !== undefined) return await this.#place(call, placed, request);
    const support = caller.era === "modern"
      ? await this.#supportOf(call.name, caller)
      : "forbidden";
    if (support === "required") requireTasks(context, `call "${call.name}" without a task`);
    if (support !== "forbidden" && declaresTasks(context)) {
      const refusal = await this.#carryAsJob(held, call, request);
      if (refusal !== undefined) return { type: "outcome", outcome: refusal };
    } else {
      this.#carryOut(held, call, request);
    }
    if (support !== "required") return await this.#wait(held, call, request);
    try {
      return await this.#keep(held);
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      held.abandon();
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    }
  }

  /** Makes a task at once of a call that says on which server it runs. */
  async #place(
    { name, args }: ToolCall,
    placed: ParsedPlacement,
    { context, caller }: CallRequest,
  ): Promise<CallAnswer> {
    if (!placed.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, placed.detail);
    const what = `call "${name}" on a server of its choice without a task`;
    if (caller.era === "modern") requireTasks(context, what);
    if (caller.era === "legacy" || await this.#supportOf(name, caller) === "forbidden") {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Cannot ${what}`);
    }
    const request = { tool: name, args, ...placed.placement };
    const meta = { ...context.mcpReq._meta };
    const jobs = this.#parts.jobs.forCaller(caller.caller, caller.address, caller.transport);
    const { job } = await orProtocolError(jobs.start(request, { asAnswer: true, meta }));
    return { type: "task", task: toTask(job, this.#parts.limits.jobTtlMs) };
  }

  /** Carries out a call that may become a job; a call that is refused has an outcome at once. */
  async #carryAsJob(
    held: HeldCall,
    call: ToolCall,
    request: CallRequest,
  ): Promise<CallOutcome | undefined> {
    const jobs = this.#parts.jobs.forCaller(request.caller.caller);
    try {
      held.carriedBy(await jobs.call(call.name, call.args, toOptions(held, request)));
      return undefined;
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      if (error.refusal !== undefined) return { ok: false, refusal: error.refusal };
      if (await this.#supportOf(call.name, request.caller) === "required") {
        throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
      }
      this.#carryOut(held, call, request);
      return undefined;
    }
  }

  #carryOut(held: HeldCall, { name, args }: ToolCall, request: CallRequest): void {
    const client = new AbortController();
    const options = { ...toOptions(held, request), client };
    const outcome = this.#parts.service.call(name, args, options);
    held.carriedBy({ outcome, stop: () => client.abort() });
  }

  async #wait(held: HeldCall, call: ToolCall, request: CallRequest): Promise<CallAnswer> {
    const mayBeTask = held.canBeTask && declaresTasks(request.context);
    const event = await held.next(mayBeTask ? this.#parts.limits.taskAfterMs : undefined);
    if (event.type === "asked") {
      // A question may have been withdrawn since.
      if (!held.questions.areOpen) return await this.#wait(held, call, request);
      // As a task it is answered on any server that shares the jobs, else on this one only.
      if (!mayBeTask || !this.#parts.jobs.isShared) return this.#suspend(held, call, request);
    } else if (event.type === "ended") {
      void held.carrier.forget?.();
      return { type: "outcome", outcome: event.outcome };
    }
    try {
      return await this.#keep(held);
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      held.neverTask();
      return await this.#wait(held, call, request);
    }
  }

  #suspend(held: HeldCall, call: ToolCall, { caller, context }: CallRequest): CallAnswer {
    const { signal } = context.mcpReq;
    // Before 2026-07-28, the request remains open while the client asks.
    if (caller.era === "legacy") {
      signal.addEventListener("abort", () => held.abandon(), { once: true });
    }
    const requestState = this.#suspended.add(held, caller.caller, call);
    const inputRequests = toInputRequests(held.questions.shown);
    return {
      type: "input",
      result: { resultType: "input_required", inputRequests, requestState },
    };
  }

  /** Makes a task of a call. Rejects with a `JobError` if it can't be kept. */
  async #keep({ carrier, questions }: HeldCall): Promise<CallAnswer> {
    if (carrier.keep === undefined) throw new TypeError("Cannot keep a call that is no job");
    const job = await carrier.keep(questions);
    return { type: "task", task: toTask(job, this.#parts.limits.jobTtlMs) };
  }

  async #supportOf(name: string, { caller }: McpCaller): Promise<ToolExecution["taskSupport"]> {
    const tool = await this.#parts.service.find(name, caller);
    return tool?.execution?.taskSupport ?? "optional";
  }
}

function toOptions(held: HeldCall, request: CallRequest): Omit<CallOptions, "client"> {
  const { mcp, caller, context: { mcpReq } } = request;
  const capabilities = caller.era === "modern"
    ? capabilitiesOf(mcpReq)
    : mcp.server.getClientCapabilities();
  const ask = askOf(held, capabilities, caller.era);
  return { ...toCallOptions(caller, mcpReq), ...held.listeners, ...ask };
}

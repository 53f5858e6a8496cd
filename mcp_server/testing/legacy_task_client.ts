import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/client";
import { serverCommand } from "./server_process.ts";
import type { WireServer } from "./task_wire.ts";

/** A task as revision 2025-11-25 describes it. */
export interface LegacyTask {
  readonly taskId: string;
  readonly status: string;
  readonly ttl: number;
}

/** What a call as a task reports. */
export type TaskMessage =
  | { readonly type: "taskCreated" | "taskStatus"; readonly task: LegacyTask }
  | { readonly type: "result"; readonly result: CallToolResult }
  | { readonly type: "error"; readonly error: { readonly code: number; readonly message: string } };

/** The part of the v1 SDK's tasks that is used; Deno finds no types in that package. */
interface V1Tasks {
  callToolStream(
    params: { name: string; arguments: object },
    resultSchema?: object,
    options?: { task: { ttl?: number } },
  ): AsyncGenerator<TaskMessage, void>;
  getTask(taskId: string): Promise<LegacyTask>;
  getTaskResult(taskId: string, resultSchema: object): Promise<CallToolResult>;
  listTasks(cursor?: string): Promise<{ tasks: LegacyTask[]; nextCursor?: string }>;
  cancelTask(taskId: string): Promise<LegacyTask>;
}

interface V1Client {
  readonly experimental: { readonly tasks: V1Tasks };
  connect(transport: object): Promise<void>;
  listTools(): Promise<ListToolsResult>;
  getServerCapabilities(): object | undefined;
  close(): Promise<void>;
}

const V1: {
  readonly Client: new (info: { name: string; version: string }) => V1Client;
  readonly Http: new (url: URL, options: { requestInit: RequestInit }) => object;
  readonly Stdio: new (program: object) => object;
} = { Client, Http: StreamableHTTPClientTransport, Stdio: StdioClientTransport };

/** The client of the MCP SDK's first major version, which knows the tasks of 2025-11-25. */
export interface LegacyTaskClient extends AsyncDisposable, Pick<V1Client, "listTools"> {
  readonly capabilities: object | undefined;
  readonly tasks: Omit<V1Tasks, "getTaskResult" | "callToolStream">;
  /** Calls a tool as a task. */
  call(name: string, args: object): AsyncGenerator<TaskMessage, void>;
  /** Waits for the end of a task. */
  result(taskId: string): Promise<CallToolResult>;
}

/** Connects to a server over HTTP. */
export async function connectLegacyHttp(url: string, token?: string): Promise<LegacyTaskClient> {
  const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await connect(new V1.Http(new URL(`${url}/mcp`), { requestInit: { headers } }));
}

/** Starts a server over stdio. */
export async function connectLegacyStdio(server: WireServer): Promise<LegacyTaskClient> {
  const { command, args, env } = serverCommand({ ...server, args: [...server.args, "--stdio"] });
  const program = { command, args, env: { ...Deno.env.toObject(), ...env }, stderr: "ignore" };
  return await connect(new V1.Stdio(program));
}

async function connect(transport: object): Promise<LegacyTaskClient> {
  const client = new V1.Client({ name: "legacy-tasks", version: "1.0.0" });
  await client.connect(transport);
  const { tasks } = client.experimental;
  return {
    tasks,
    capabilities: client.getServerCapabilities(),
    listTools: () => client.listTools(),
    call: (name, args) =>
      tasks.callToolStream({ name, arguments: args }, undefined, { task: { ttl: 60_000 } }),
    result: (taskId) => tasks.getTaskResult(taskId, CallToolResultSchema),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

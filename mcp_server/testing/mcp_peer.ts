import type {
  CallToolResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import { serverCommand, type ServerOptions } from "./server_process.ts";

/** Options of one call. */
export interface PeerCallOptions {
  readonly signal?: AbortSignal;
  /** Requests progress from the server. */
  readonly onprogress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** A client of MCP, whichever SDK and revision is behind it, connected to a server. */
export interface McpPeer extends AsyncDisposable {
  listTools(): Promise<ListToolsResult>;
  callTool(name: string, args: object, options?: PeerCallOptions): Promise<CallToolResult>;
  listResourceTemplates(): Promise<ListResourceTemplatesResult>;
  readResource(uri: string): Promise<ReadResourceResult>;
  /** Closes the connection, even during a call, and leaves an HTTP server running. */
  close(): Promise<void>;
  /** The violations of the protocol that the client has reported so far. */
  readonly faults: readonly Error[];
}

/** How an SDK connects a client: to a URL, or to a program over its stdin and stdout. */
export interface PeerSdk {
  connectHttp(url: URL, headers?: Readonly<Record<string, string>>): Promise<PeerClient>;
  connectStdio(program: StdioProgram): Promise<PeerClient>;
}

/** The part of an SDK's client that a peer needs. */
export type PeerClient = Omit<McpPeer, typeof Symbol.asyncDispose>;

/** A program that speaks MCP, as the SDKs' transports take it. */
export interface StdioProgram {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly stderr: "ignore";
}

/** Connects a client over HTTP to a server, given as `http://<host>:<port>`. */
export async function connectOverHttp(sdk: PeerSdk, url: string): Promise<McpPeer> {
  await using stack = new AsyncDisposableStack();
  const client = await sdk.connectHttp(new URL(`${url}/mcp`));
  stack.defer(() => client.close());
  return toPeer(client, stack.move());
}

/** Connects a client over stdio; the client starts the server. */
export async function connectOverStdio(sdk: PeerSdk, options: ServerOptions): Promise<McpPeer> {
  await using stack = new AsyncDisposableStack();
  const { command, args, env } = serverCommand({
    ...options,
    args: [...options.args ?? [], "--stdio"],
  });
  const client = await sdk.connectStdio({
    command,
    args,
    env: { ...Deno.env.toObject(), ...env },
    stderr: "ignore",
  });
  stack.defer(() => client.close());
  return toPeer(client, stack.move());
}

function toPeer(client: PeerClient, stack: AsyncDisposableStack): McpPeer {
  return {
    faults: client.faults,
    listTools: () => client.listTools(),
    callTool: (name, args, options) => client.callTool(name, args, options),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource(uri),
    close: () => client.close(),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

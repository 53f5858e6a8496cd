import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type {
  CallToolResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import { abortableFetch } from "./abortable_fetch.ts";
import type { PeerCallOptions, PeerClient, PeerSdk, StdioProgram } from "./mcp_peer.ts";

/** A transport of the v1 SDK; only the SDK uses its members. */
type V1Transport = Readonly<Record<never, never>>;

/** The part of the v1 SDK's client that is used; Deno finds no types in that package. */
interface V1Client {
  onerror?: (error: Error) => void;
  connect(transport: V1Transport): Promise<void>;
  listTools(): Promise<ListToolsResult>;
  callTool(
    params: { name: string; arguments: object },
    resultSchema: undefined,
    options?: PeerCallOptions,
  ): Promise<CallToolResult>;
  listResourceTemplates(): Promise<ListResourceTemplatesResult>;
  readResource(params: { uri: string }): Promise<ReadResourceResult>;
  close(): Promise<void>;
}

const V1: {
  readonly Client: new (info: { name: string; version: string }) => V1Client;
  readonly Http: new (
    url: URL,
    options: { fetch: typeof fetch; requestInit: RequestInit },
  ) => V1Transport;
  readonly Stdio: new (program: StdioProgram) => V1Transport;
} = { Client, Http: StreamableHTTPClientTransport, Stdio: StdioClientTransport };

/** The client of the MCP SDK's first major version, which speaks the revisions up to 2025-11-25. */
export const V1_SDK: PeerSdk = {
  connectHttp: (url, headers = {}) =>
    connect(new V1.Http(url, { fetch: abortableFetch, requestInit: { headers } })),
  connectStdio: (program) => connect(new V1.Stdio(program)),
};

async function connect(transport: V1Transport): Promise<PeerClient> {
  const client = new V1.Client({ name: "v1-client", version: "1.0.0" });
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  return {
    faults,
    listTools: () => client.listTools(),
    callTool: (name, args, options) =>
      client.callTool({ name, arguments: args }, undefined, options),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    close: () => {
      client.onerror = undefined;
      return client.close();
    },
  };
}

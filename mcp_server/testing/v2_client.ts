import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { abortableFetch } from "./abortable_fetch.ts";
import type { PeerClient, PeerSdk } from "./mcp_peer.ts";

/**
 * The client of the MCP SDK's second major version, for revision 2026-07-28 or for those before it.
 */
export function v2Sdk(revision: "legacy" | "2026-07-28"): PeerSdk {
  const mode = revision === "legacy" ? revision : { pin: revision };
  return {
    connectHttp: (url, headers = {}) => {
      const options = { fetch: abortableFetch, requestInit: { headers } };
      return connect(new StreamableHTTPClientTransport(url, options), mode);
    },
    connectStdio: (program) => connect(new StdioClientTransport(program), mode),
  };
}

async function connect(transport: Transport, mode: VersionNegotiationMode): Promise<PeerClient> {
  const info = { name: "v2-client", version: "1.0.0" };
  const client = new Client(info, { versionNegotiation: { mode } });
  const faults: Error[] = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  return {
    faults,
    listTools: () => client.listTools(),
    callTool: (name, args, options) =>
      client.callTool({ name, arguments: { ...args } }, { ...options }),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    close: () => {
      client.onerror = undefined;
      return client.close();
    },
  };
}

import { bearerOf } from "../../testing/callers_file.ts";
import type { PeerClient, PeerSdk } from "../../testing/mcp_peer.ts";
import { serverCommand } from "../../testing/server_process.ts";
import type { StdioServers } from "../server/stdio_servers.ts";
import type { ServerKind } from "../tally.ts";
import { CallRefused, toOutput, type Way } from "./way.ts";

/** Connects a client of a caller. */
type Connect = (caller: string) => Promise<PeerClient>;

/** Connects clients over HTTP. */
export function overHttp(sdk: PeerSdk, url: string): Connect {
  return (caller) => sdk.connectHttp(new URL(`${url}/mcp`), bearerOf(caller));
}

/** Connects clients over stdio, each of which starts its server. */
export function overStdio(sdk: PeerSdk, { env, program }: StdioServers): Connect {
  const { env: own, ...started } = serverCommand({ args: ["--stdio"], env, program });
  const all = { ...Deno.env.toObject(), ...own };
  return () => sdk.connectStdio({ ...started, env: all, stderr: "ignore" });
}

/** A way of clients that stay connected, one for each caller; the first call connects. */
export function connectedWay(
  transport: string,
  connect: Connect,
  server: ServerKind = "http",
): Way {
  const clients = new Map<string, Promise<PeerClient>>();
  const clientOf = (caller: string) => {
    const name = server === "stdio" ? "default" : caller;
    const found = clients.get(name);
    if (found !== undefined) return found;
    const connected = connect(name);
    clients.set(name, connected);
    connected.catch(() => clients.delete(name));
    return connected;
  };
  const close = async () => {
    const open = [...clients.values()];
    clients.clear();
    await Promise.allSettled(open.map(async (client) => await (await client).close()));
  };
  let closed = 0;
  return {
    transport,
    server,
    get closed() {
      return closed;
    },
    call: async (tool, args, { signal, caller }) => {
      const client = await clientOf(caller);
      const answer = await client.callTool(tool, args, { signal });
      const { isError, structuredContent, content } = answer;
      if (isError) throw new CallRefused(JSON.stringify(content));
      return toOutput(structuredContent);
    },
    reconnect: () => {
      closed++;
      return close();
    },
    [Symbol.asyncDispose]: close,
  };
}

import process from "node:process";
import type { App } from "./app.ts";
import { type Config, ConfigError, TOKEN_COMMAND } from "./config.ts";
import { messageOf } from "./domain/error.ts";
import { createHostRule } from "./security/host.ts";
import { createTokenCheck } from "./security/token.ts";
import type { Gate } from "./transports/guard.ts";
import { HangUpWatch } from "./transports/hang_up_watch.ts";
import { createHttpHandler } from "./transports/http_server.ts";
import { createMcpHttpDoor } from "./transports/mcp_http.ts";
import { createMcpServerFactory } from "./transports/mcp_server.ts";
import { serveMcpOverStdio } from "./transports/mcp_stdio.ts";
import { createRoutes } from "./transports/routes.ts";
import { VERSION } from "./version.ts";

/** A door that is open. */
export interface OpenDoor {
  /** Where the door is, for people. */
  readonly address: string;
  /** Settles when nothing more can come in. */
  readonly finished: Promise<void>;
  /** Lets no new call in; the calls under way are answered. */
  close(): Promise<void>;
}

const IDENTITY = {
  name: "trestle",
  title: "Trestle",
  version: VERSION,
  instructions: "Runs commands, scripts, file operations and SQL on the host of this server. " +
    "When its time-out passes or the call is cancelled, a command is stopped with every process " +
    "it started. Long output keeps its first and last part. An exitCode other than 0 is a result, " +
    "not an error. A program that shall go on in the background must not keep the output open: " +
    "start it as `program >log 2>&1 &`, otherwise it is ended with its command.",
};

/** Serves MCP over stdin and stdout. */
export function serveStdio({ service, log }: App): OpenDoor {
  const createServer = createMcpServerFactory(service, IDENTITY);
  const streams = { input: process.stdin, output: process.stdout };
  const onError = (error: unknown) => log.debug("mcp", { error: messageOf(error) });
  const finished = serveMcpOverStdio(createServer, streams, onError);
  return { address: "stdio", finished, close: () => Promise.resolve() };
}

/** Serves MCP and the HTTP API. Throws a `ConfigError` where the address can't be listened on. */
export async function serveHttp({ service, log }: App, config: Config): Promise<OpenDoor> {
  const { maxBodyBytes } = config.limits;
  const mcp = createMcpHttpDoor({
    service,
    maxBodyBytes,
    createServer: createMcpServerFactory(service, IDENTITY),
    onError: (error) => log.debug("mcp", { error: messageOf(error) }),
  });
  const watch = new HangUpWatch(() => server.addr.port);
  const parts = { service, mcp: mcp.handler, watch, maxBodyBytes, version: VERSION };
  const routes = createRoutes(parts);
  const handler = createHttpHandler(routes, toGate(config), (error) => {
    log.error("a request failed", { error });
  });
  const server = await listen(config, handler);
  if (config.tokens.length === 0) warnOfNoToken(log);
  return {
    address: addressOf(server, config),
    finished: server.finished,
    close: async () => {
      const done = server.shutdown();
      await mcp.close();
      await done;
    },
  };
}

function toGate(config: Config): Gate {
  return {
    hosts: createHostRule(config.host, config.allowedHosts),
    origins: {
      scheme: config.tls === undefined ? "http" : "https",
      allowed: new Set(config.allowedOrigins),
    },
    checkToken: createTokenCheck(config.tokens),
  };
}

async function listen(
  { host, port, tls }: Config,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Promise<Deno.HttpServer<Deno.NetAddr>> {
  const options = { hostname: host, port, onListen: () => {} };
  try {
    if (tls === undefined) return Deno.serve(options, handler);
    const cert = await readPem("MCP_TLS_CERT", tls.certFile);
    const key = await readPem("MCP_TLS_KEY", tls.keyFile);
    return Deno.serve({ ...options, cert, key }, handler);
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError(`Cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  }
}

async function readPem(name: string, file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (cause) {
    throw new ConfigError(`Cannot use ${name} "${file}": ${messageOf(cause)}`, { cause });
  }
}

function addressOf({ addr }: Deno.HttpServer<Deno.NetAddr>, { tls }: Config): string {
  const host = addr.hostname.includes(":") ? `[${addr.hostname}]` : addr.hostname;
  return `${tls === undefined ? "http" : "https"}://${host}:${addr.port}`;
}

function warnOfNoToken(log: App["log"]): void {
  log.warn("MCP_TOKEN is not set: every program on this machine can call", {
    fix: `export ${TOKEN_COMMAND}`,
  });
}

import type { App } from "./app.ts";
import { type Config, ConfigError, TOKEN_COMMAND } from "./config.ts";
import { within } from "./domain/deadline.ts";
import { messageOf } from "./domain/error.ts";
import { defaultLimits } from "./domain/limits.ts";
import { createTokenVerifier, type TokenVerifier } from "./oauth/token_verifier.ts";
import { createHostRule } from "./security/host_and_origin.ts";
import { createOAuthIdentify } from "./security/oauth/identify.ts";
import { metadataPathsOf, metadataUrlOf, toResourceMetadata } from "./security/oauth/resource.ts";
import { createDigestCheck, createTokenCheck, type Identify } from "./security/token.ts";
import { DisconnectWatcher } from "./transports/disconnect_watcher.ts";
import { createHttpHandler, type Gate } from "./transports/http_server.ts";
import {
  type HttpServer,
  type ListenAddress,
  listenHttp,
  type ListenOptions,
} from "./transports/listen_http.ts";
import { createMcpHttpTransport } from "./transports/mcp_http.ts";
import { createMcpServerFactory } from "./transports/mcp_server.ts";
import { createMetricsRoutes } from "./transports/metrics.ts";
import type { StdioOptions } from "./transports/mcp_stdio.ts";
import { createRoutes } from "./transports/routes.ts";
import { createScopeGuard } from "./transports/scopes/scope_guard.ts";
import { VERSION } from "./version.ts";

/** A transport that is open. */
export interface OpenTransport {
  /** Where it listens, for people. */
  readonly address: string;
  /** Settles when no more calls can arrive. */
  readonly finished: Promise<void>;
  /** Accepts no new calls; running calls are answered. */
  close(): Promise<void>;
}

const SERVER_INFO = { name: "trestle", title: "Trestle", version: VERSION };

const IDENTITY = {
  ...SERVER_INFO,
  instructions: "Runs commands, scripts, file operations and SQL on the host of this server. " +
    "When its time-out passes or the call is cancelled, a command is stopped with every process " +
    "it started. Long output keeps its first and last part. An exitCode other than 0 is a result, " +
    "not an error. A program that should keep running in the background must not keep the output open: " +
    "start it as `program >log 2>&1 &`; otherwise it is stopped with its command.",
};

/** How long a certificate or a key may take to read: a FIFO has no content until it is written. */
const PEM_MS = 5_000;

/** Options for an embedding program. */
export interface StdioServeOptions {
  /** Longest message that is read, in bytes. @default {4_194_304} */
  readonly maxLineBytes?: number;
}

/** Serves MCP over stdin and stdout. */
export function serveStdio(app: App, options: StdioServeOptions = {}): OpenTransport {
  const { maxLineBytes = defaultLimits(1).maxBodyBytes } = options;
  const onError = (error: unknown) => app.log.debug("mcp", { error: messageOf(error) });
  const { onToolsChanged } = app;
  const finished = openStdio(app, { maxLineBytes, onError, onToolsChanged });
  return { address: "stdio", finished, close: () => Promise.resolve() };
}

async function openStdio(app: App, options: StdioOptions): Promise<void> {
  const [{ stdin, stdout }, { serveMcpOverStdio }] = await Promise.all([
    import("node:process"),
    import("./transports/mcp_stdio.ts"),
  ]);
  const createServer = createMcpServerFactory(app, IDENTITY);
  await serveMcpOverStdio(createServer, { input: stdin, output: stdout }, options);
}

/** Serves MCP and the HTTP API. Throws a `ConfigError` if it can't listen on the address. */
export async function serveHttp(app: App, config: Config): Promise<OpenTransport> {
  const { service, jobs, log } = app;
  const { maxBodyBytes } = config.limits;
  const { oauth } = config;
  const verifier = oauth && await createTokenVerifier(oauth, log);
  const guard = createScopeGuard(oauth && metadataUrlOf(oauth.resource), app.recordRefusal);
  const mcp = createMcpHttpTransport({
    service,
    jobs,
    guard,
    maxBodyBytes,
    createServer: createMcpServerFactory(app, IDENTITY),
    serverInfo: SERVER_INFO,
    onError: (error) => log.debug("mcp", { error: messageOf(error) }),
  });
  const listener = app.onToolsChanged(() => mcp.notifyToolsChanged());
  const watch = new DisconnectWatcher(() => server.address.port);
  const closing = new AbortController();
  const routes = createRoutes({
    service,
    jobs,
    reloadTools: app.reloadTools,
    mcp: mcp.handler,
    meter: config.metricsPort === undefined ? app.meter : undefined,
    watch,
    closing: closing.signal,
    maxBodyBytes,
    version: VERSION,
    console: config.console,
    guard,
    resource: oauth && {
      paths: metadataPathsOf(oauth.resource),
      metadata: toResourceMetadata(oauth),
    },
    containment: app.containment,
  });
  const gate = toGate(config, app, verifier);
  const onError = (error: unknown) => log.error("a request failed", { error });
  const listened = async () => {
    const server = await listen(config, createHttpHandler(routes, gate, onError), log);
    return { server, metrics: await serveMetrics(app, config, { gate, onError }) };
  };
  const { server, metrics } = await listened().catch((error) => {
    verifier?.[Symbol.dispose]();
    throw error;
  });
  if (isOpen(config, app.callers)) warnOfNoToken(log);
  return {
    address: addressOf(server.address, config),
    finished: server.finished,
    close: async () => {
      listener[Symbol.dispose]();
      const done = Promise.all([server.shutdown(), metrics?.shutdown()]);
      closing.abort();
      verifier?.[Symbol.dispose]();
      await mcp.close();
      await done;
    },
  };
}

/** Serves the metrics on a port of their own, without a token, if the config names one. */
async function serveMetrics(
  { meter, log }: App,
  config: Config,
  { gate, onError }: { gate: Gate; onError: (error: unknown) => void },
): Promise<HttpServer | undefined> {
  const { metricsPort: port } = config;
  if (port === undefined) return undefined;
  const handler = createHttpHandler(createMetricsRoutes(meter), gate, onError);
  const server = await listen({ ...config, port }, handler, log);
  log.info("serving metrics", { address: `${addressOf(server.address, config)}/metrics` });
  return server;
}

/** Whether every local program may call. */
function isOpen({ tokens, oauth }: Config, callers: App["callers"]): boolean {
  return tokens.length === 0 && oauth === undefined && callers === undefined;
}

function toGate(config: Config, app: App, verifier: TokenVerifier | undefined): Gate {
  return {
    hosts: createHostRule(config.host, config.allowedHosts),
    origins: {
      scheme: config.tls === undefined ? "http" : "https",
      allowed: new Set(config.allowedOrigins),
    },
    identify: toIdentify(config, app.callers, verifier),
    onRefused: app.recordRefusal,
  };
}

function toIdentify(
  { tokens, oauth }: Config,
  callers: App["callers"],
  verifier: TokenVerifier | undefined,
): Identify {
  if (oauth === undefined || verifier === undefined) return createTokenCheck(tokens, callers);
  return createOAuthIdentify({
    ...oauth,
    findOther: createDigestCheck(tokens, callers),
    verify: verifier.verify,
    ...(callers && { findCaller: (subject) => callers.findBySubject(subject) }),
  });
}

async function listen(
  config: Config,
  handler: ListenOptions["handler"],
  log: App["log"],
): Promise<HttpServer> {
  const { host, port, limits } = config;
  const tls = await readTls(config);
  try {
    return listenHttp({ hostname: host, port, ...tls }, {
      handler,
      timeouts: {
        headerMs: limits.headerTimeoutMs,
        bodyMs: limits.bodyTimeoutMs,
        sendMs: limits.sendTimeoutMs,
        idleMs: limits.idleTimeoutMs,
      },
      maxConnections: limits.maxConnections,
      onAcceptError: (error) => log.warn("cannot accept a connection, trying again", { error }),
      onUnbounded: () =>
        log.warn("this version of Deno can't bound connections", {
          fix: "use Deno 2.9, or a reverse proxy in front of the server",
        }),
    });
  } catch (cause) {
    throw new ConfigError(`Cannot listen on ${host}:${port}: ${messageOf(cause)}`, { cause });
  }
}

async function readTls({ tls }: Config): Promise<Pick<ListenAddress, "tls">> {
  if (tls === undefined) return {};
  const cert = await readPem("MCP_TLS_CERT", tls.certFile);
  const key = await readPem("MCP_TLS_KEY", tls.keyFile);
  return { tls: { cert, key } };
}

async function readPem(name: string, file: string): Promise<string> {
  const refuse = (state: string, cause?: unknown) =>
    new ConfigError(`Cannot use ${name} "${file}": ${state}`, { cause });
  const reading = Deno.readTextFile(file).catch((cause) => {
    throw refuse(messageOf(cause), cause);
  });
  if (await within(reading, PEM_MS)) return await reading;
  throw refuse(`it has no content within ${PEM_MS / 1_000} s; use a regular file`);
}

function addressOf({ hostname, port }: Deno.NetAddr, { tls }: Config): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `${tls === undefined ? "http" : "https"}://${host}:${port}`;
}

function warnOfNoToken(log: App["log"]): void {
  log.warn("MCP_TOKEN is not set: every program on this machine can call", {
    fix: `export ${TOKEN_COMMAND}`,
  });
}

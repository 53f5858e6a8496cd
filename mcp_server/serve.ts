import type { App } from "./app.ts";
import type { Config } from "./settings/config.ts";
import { TOKEN_COMMAND } from "./settings/read_settings.ts";
import { loadLateModules, within } from "./shared/concurrency.ts";
import { messageOf } from "./shared/error.ts";
import { defaultLimits } from "./shared/limits.ts";
import { addressOf, type HttpServer, listen } from "./http/http_listener.ts";
import type { TokenVerifier } from "./access/token_verifier.ts";
import { createHostRule, type Identify, identifyAs } from "./access/caller.ts";
import { metadataPathsOf, metadataUrlOf, toResourceMetadata } from "./access/oauth_settings.ts";
import { DisconnectWatcher } from "./http/disconnect_watcher.ts";
import { StreamShares } from "./http/stream_shares.ts";
import { createHttpHandler, type Gate, loadedOnce, type Route } from "./http/http_server.ts";
import type { McpHttpTransport } from "./mcp/mcp_http.ts";
import { type ConsoleLogin, createMetricsRoutes, createRoutes } from "./api/routes.ts";
import type { StdioOptions } from "./mcp/mcp_stdio.ts";
import { VERSION } from "./version.ts";

/** Loaded by computed names: what has a literal one is read before this module runs. */
const MCP_HTTP = import.meta.resolve("./mcp/mcp_http.ts");
const MCP_SERVER = import.meta.resolve("./mcp/mcp_server.ts");
const MCP_STDIO = import.meta.resolve("./mcp/mcp_stdio.ts");

/**
 * The package of MCP, which every server needs: Deno downloads what has a literal name when the program
 * first starts, also if it is imported later by a module with a computed one.
 */
export const MCP_PACKAGE = [
  () => import("@modelcontextprotocol/server"),
  () => import("@modelcontextprotocol/server/stdio"),
];

/** A transport that is open. */
export interface OpenTransport {
  /** Where it listens, for people. */
  readonly address: string;
  /** Settles when no more calls can arrive. */
  readonly finished: Promise<void>;
  /**
   * Accepts no new calls. With a promise, open streams of MCP end only once it settles or they have
   * their answers: until then, calls that are being stopped are answered.
   */
  close(stopped?: Promise<void>): Promise<void>;
}

/** How long calls of the HTTP API have the processor before MCP is loaded, unless it is asked for. */
const FIRST_CALLS_MS = 250;
/** How long the answers of calls that have been stopped may take to leave. */
const ANSWERED_MS = 2_000;

const SERVER_INFO = {
  name: "trestle",
  title: "Trestle",
  version: VERSION,
  websiteUrl: "https://jsr.io/@trestle/mcp-server",
};

const IDENTITY = {
  ...SERVER_INFO,
  instructions: "Runs commands, scripts, file operations and SQL on the host of this server. " +
    "When its time-out passes or the call is cancelled, a command is stopped with every process " +
    "it started. Long output keeps its first and last part. An exitCode other than 0 is a result, " +
    "not an error. A program that should keep running in the background must not keep the output open: " +
    "start it as `program >log 2>&1 &`; otherwise it is stopped with its command.",
};

/** Options for an embedding program. */
export interface StdioServeOptions {
  /** Longest message that is read, in bytes. @default {4_194_304} */
  readonly maxLineBytes?: number;
}

/** Serves MCP over stdin and stdout. */
export function serveStdio(app: App, options: StdioServeOptions = {}): OpenTransport {
  const { maxLineBytes = defaultLimits(1).maxBodyBytes } = options;
  const onError = (error: unknown) => app.log.debug("mcp", { error: messageOf(error) });
  const { onToolsChanged, startMessage } = app;
  const finished = openStdio(app, {
    caller: app.stdioCaller,
    maxLineBytes,
    onError,
    onToolsChanged,
    startMessage,
  });
  return { address: "stdio", finished, close: () => Promise.resolve() };
}

async function openStdio(app: App, options: StdioOptions): Promise<void> {
  const { stdin, stdout } = await import("node:process");
  const { serveMcpOverStdio }: typeof import("./mcp/mcp_stdio.ts") = await import(MCP_STDIO);
  const { createMcpServerFactory }: typeof import("./mcp/mcp_server.ts") = await import(MCP_SERVER);
  const createServer = createMcpServerFactory(app, IDENTITY);
  await serveMcpOverStdio(createServer, { input: stdin, output: stdout }, options);
}

/** Serves MCP and the HTTP API. Rejects with a `ConfigError` if it can't listen on the address. */
export async function serveHttp(app: App, config: Config): Promise<OpenTransport> {
  const { log } = app;
  await using undo = new AsyncDisposableStack();
  const verifier = config.oauth && await openVerifier(config.oauth, log);
  undo.use(verifier);
  const closing = new AbortController();
  const identify = await toIdentify(config, app, verifier);
  const gate = toGate(config, app, identify, () => server.address.port);
  const handle = (routes: readonly Route[]) => {
    const onError = (error: unknown) => log.error("a request failed", { error });
    return createHttpHandler(routes, gate, onError);
  };
  const metrics = await serveMetrics(app, config, handle);
  undo.defer(() => metrics?.shutdown());
  const mcp = openWhenAsked(() => openMcp(app, config, closing.signal));
  undo.defer(() => mcp.close());
  const { oauth, limits: { maxBodyBytes } } = config;
  const routes = createRoutes({
    ...app,
    mcp: loadedOnce(async () => (await mcp.now()).handler),
    closing: closing.signal,
    maxBodyBytes,
    version: VERSION,
    console: config.console && { login: toConsoleLogin(config.oauth) },
    resource: oauth && {
      paths: metadataPathsOf(oauth.resource),
      metadata: toResourceMetadata(oauth),
    },
  });
  const server = await listen(config, handle(routes), log);
  // Until all is loaded, few clients connect: Deno 2.9 ends if it loads a module while no file
  // descriptor is free.
  mcp.opened.then(() => app.service.list(app.defaultCaller)).then(loadLateModules).then(
    () => server.allow(config.limits.maxConnections),
    (error) => {
      log.error("MCP can't be loaded", { error });
      return server.shutdown();
    },
  );
  const listener = app.onToolsChanged(() =>
    mcp.opened.then((open) => open.notifyToolsChanged(), () => {})
  );
  if (isOpen(config, app)) {
    log.warn("MCP_TOKEN is not set: every program on this machine can call", {
      fix: `export ${TOKEN_COMMAND}`,
    });
  }
  undo.move();
  return {
    address: addressOf(server.address, config),
    finished: server.finished,
    close: async (stopped = Promise.resolve()) => {
      listener[Symbol.dispose]();
      const done = Promise.all([server.shutdown(), metrics?.shutdown()]);
      closing.abort();
      verifier?.[Symbol.dispose]();
      // The SDK ends its streams without an answer, and a stopped call is answered after its end.
      await Promise.race([done, stopped]).catch(() => {});
      await within(done, ANSWERED_MS).catch(() => {});
      await mcp.close();
      await done;
    },
  };
}

/** What the console logs people in with, if the operator has registered it with the issuer. */
function toConsoleLogin(oauth: Config["oauth"]): ConsoleLogin | undefined {
  if (oauth?.consoleClientId === undefined) return undefined;
  const { issuer, resource, consoleClientId: clientId } = oauth;
  return { issuer, resource, clientId };
}

/** Opens MCP once it is asked for, or after the first calls of the HTTP API have been answered. */
function openWhenAsked(open: () => Promise<McpHttpTransport>) {
  const { promise: opened, resolve } = Promise.withResolvers<McpHttpTransport>();
  let isOpening = false;
  const now = () => {
    if (!isOpening) resolve(open());
    isOpening = true;
    return opened;
  };
  const timer = setTimeout(now, FIRST_CALLS_MS);
  return {
    now,
    opened,
    close: async () => {
      clearTimeout(timer);
      // Why it can't be opened has been reported.
      if (isOpening) await opened.then((mcp) => mcp.close(), () => {});
    },
  };
}

/** Loads the MCP SDK. */
async function openMcp(
  app: App,
  config: Config,
  closing: AbortSignal,
): Promise<McpHttpTransport> {
  const { createMcpHttpTransport }: typeof import("./mcp/mcp_http.ts") = await import(MCP_HTTP);
  const { createMcpServerFactory }: typeof import("./mcp/mcp_server.ts") = await import(MCP_SERVER);
  return createMcpHttpTransport({
    ...app,
    maxBodyBytes: config.limits.maxBodyBytes,
    createServer: createMcpServerFactory(app, IDENTITY),
    serverInfo: SERVER_INFO,
    startMessage: app.startMessage,
    closing,
    onError: (error) => app.log.debug("mcp", { error: messageOf(error) }),
  });
}

/** Serves the metrics on a port of their own, without a token, if the config names one. */
async function serveMetrics(
  { meter, log }: App,
  config: Config,
  handle: (routes: readonly Route[]) => ReturnType<typeof createHttpHandler>,
): Promise<HttpServer | undefined> {
  const { metricsPort: port } = config;
  if (port === undefined) return undefined;
  const server = await listen({ ...config, port }, handle(createMetricsRoutes(meter)), log);
  server.allow(config.limits.maxConnections);
  log.info("serving metrics", { address: `${addressOf(server.address, config)}/metrics` });
  return server;
}

function toGate(
  config: Config,
  app: App,
  identify: Identify,
  port: () => number,
): Gate {
  return {
    hosts: createHostRule(config.host, config.allowedHosts),
    origins: {
      scheme: config.tls === undefined ? "http" : "https",
      allowed: new Set(config.allowedOrigins),
    },
    identify,
    metadataUrl: config.oauth && metadataUrlOf(config.oauth.resource),
    onRefused: app.recordRefusal,
    stopping: app.stopping,
    streams: new StreamShares(config.limits.maxConnections),
    watch: new DisconnectWatcher(port),
  };
}

/** Whether every program that reaches the server may call. */
function isOpen({ tokens, oauth }: Config, { callers }: App): boolean {
  return tokens.length === 0 && oauth === undefined && callers === undefined;
}

async function openVerifier(
  oauth: NonNullable<Config["oauth"]>,
  log: App["log"],
): Promise<TokenVerifier> {
  const { createTokenVerifier } = await import("./access/token_verifier.ts");
  return await createTokenVerifier(oauth, log);
}

/** Loads `node:crypto`, which takes a while, only for a server that has callers to tell apart. */
async function toIdentify(
  config: Config,
  app: App,
  verifier: TokenVerifier | undefined,
): Promise<Identify> {
  const { tokens, oauth } = config;
  const { callers, defaultCaller } = app;
  if (isOpen(config, app)) return identifyAs(defaultCaller);
  const { createDigestCheck, createTokenCheck } = await import("./access/token_check.ts");
  if (oauth === undefined || verifier === undefined) {
    return createTokenCheck(tokens, callers, defaultCaller);
  }
  const { createOAuthIdentify } = await import("./access/identify.ts");
  return createOAuthIdentify({
    ...oauth,
    findOther: createDigestCheck(tokens, callers, defaultCaller),
    verify: verifier.verify,
    findCaller: callers && ((subject) => callers.findBySubject(subject)),
    rights: defaultCaller.rights,
  });
}

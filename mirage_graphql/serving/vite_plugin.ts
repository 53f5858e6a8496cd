import type { IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { Duplex } from "node:stream";
import { checkConfig } from "./check_config.ts";
import { isUrl } from "./introspect.ts";
import { countText, createLiveMock, type LiveMock } from "./live_mock.ts";
import { type Answerer, createNodeListener, type NodeListener } from "./node_listener.ts";
import { reasonOf } from "./schema_files.ts";
import type { ServeConfig } from "./serve_config.ts";

/** What the plugin serves, and where: the settings of `serve`, without an address. */
export interface MirageGraphQLOptions extends Omit<ServeConfig, "host" | "port"> {
  /** Schema files, folders and globs, relative to Vite's root, or the URL of a running API. */
  readonly schema: string | readonly string[];
  /** JSON file with the records, relative to Vite's root; it takes precedence over `seeds`. */
  readonly seedFile?: string;
  /** Path of the mock on the dev server; Vite's `base` is not added. @default {"/graphql"} */
  readonly endpoint?: string;
}

/** A plugin of Vite, which `vite build` leaves out. */
export interface MirageGraphQLPlugin {
  /** Its name in Vite's messages. */
  readonly name: string;
  /** Vite uses it in development only. */
  readonly apply: "serve";
  /** Serves the mock on a dev server. */
  configureServer(server: DevServer): void;
}

/** What the plugin needs of a dev server; those of Vite 6, 7 and 8 have it. */
export interface DevServer {
  /** Vite's resolved configuration. */
  readonly config: {
    /** The folder to which paths are relative. */
    readonly root: string;
    /** Where messages go. */
    readonly logger: {
      /** Reports progress. */
      info(message: string, options?: { readonly timestamp?: boolean }): void;
      /** Reports errors that the user has to fix. */
      error(message: string, options?: { readonly timestamp?: boolean }): void;
    };
    /** The options of the server. */
    readonly server: {
      /** In middleware mode, it may name the server that opens WebSockets. */
      readonly middlewareMode?: boolean | { readonly server?: ServerEvents };
    };
  };
  /** Where the plugin adds its handler. */
  readonly middlewares: {
    /** Adds a handler of requests. */
    use(handler: (request: unknown, response: unknown, next: () => void) => void): unknown;
  };
  /** The server of `node:http`; `null` in middleware mode. */
  readonly httpServer: ServerEvents | null;
}

/** A server whose events are listened to. */
export interface ServerEvents {
  /** Adds a listener. */
  on(event: string, listener: (...values: unknown[]) => void): unknown;
}

/**
 * Creates a plugin that answers GraphQL requests on the dev server's port: queries, mutations,
 * subscriptions over WebSocket and event streams, and GraphiQL for browsers. The files are read
 * again when they change, without a restart; `vite build` has no trace of it.
 *
 * @example
 * ```ts
 * import { mirageGraphQL } from "@trestle/mirage-graphql/vite";
 *
 * export default {
 *   plugins: [mirageGraphQL({ schema: "schema.graphql", latency: "100..400" })],
 * };
 * ```
 *
 * @throws {TypeError} If `endpoint` is no path.
 * @throws {Error} If there is an unknown option, or one of the wrong type; the message names it.
 */
export function mirageGraphQL(options: MirageGraphQLOptions): MirageGraphQLPlugin {
  const { endpoint = "/graphql", seedFile, ...config } = options;
  if (!/^\/[^?#]*$/.test(endpoint)) {
    throw new TypeError(`Cannot serve at "${endpoint}": it must be a path such as "/graphql"`);
  }
  checkConfig(config);
  return {
    name: "trestle:mirage-graphql",
    apply: "serve",
    configureServer(server) {
      const { root, logger } = server.config;
      const log = {
        info: (text: string) => logger.info(`[mirage-graphql] ${text}`, { timestamp: true }),
        error: (text: string) => logger.error(`[mirage-graphql] ${text}`, { timestamp: true }),
      };
      const inRoot = (source: string) => isUrl(source) ? source : resolve(root, source);
      const given = { ...config, schema: [options.schema].flat().map(inRoot) };
      const seeds = seedFile === undefined ? undefined : resolve(root, seedFile);
      const live = createLiveMock({ given, seedFile: seeds, configFile: undefined }, log);
      const loading = live.load().then(
        ({ mock }) => log.info(`Serving ${endpoint}: ${countText(mock.counts)}`),
        (error) => log.error(reasonOf(error)),
      ).then(() => live.watch());
      attach(server, endpoint, createNodeListener(answererOf(live, loading)), loading);
      server.httpServer?.on("close", () => void live[Symbol.asyncDispose]());
    },
  };
}

/** Answers by the mock as of now; until the files are valid, with an error. */
function answererOf(live: LiveMock, loading: Promise<void>): Answerer {
  return {
    async respond(request) {
      await loading;
      return await (live.current?.respond(request) ?? unavailable());
    },
    refuse: (head) => live.current === undefined ? unavailable() : live.current.refuse(head),
    accept: (socket, request) => live.current?.accept(socket, request),
  };
}

function unavailable(): Response {
  const message = "Cannot answer: the schema is invalid, as the log of the dev server says";
  return Response.json({ errors: [{ message }] }, { status: 503 });
}

/** Lets the listener handle what is sent to the endpoint. */
function attach(
  { middlewares, httpServer, config }: DevServer,
  endpoint: string,
  listener: NodeListener,
  loading: Promise<void>,
): void {
  const isOurs = ({ url = "" }: IncomingMessage) => url.replace(/\?.*$/s, "") === endpoint;
  middlewares.use((request, response, next) => {
    if (isRequest(request) && isResponse(response) && isOurs(request)) {
      listener.request(request, response);
    } else next();
  });
  const { middlewareMode } = config.server;
  const parent = typeof middlewareMode === "object" ? middlewareMode.server : undefined;
  (httpServer ?? parent)?.on("upgrade", (request, socket, head) => {
    if (!isRequest(request) || !(socket instanceof Duplex) || !(head instanceof Uint8Array)) return;
    // Vite's own connections have subprotocols of theirs
    if (!isOurs(request) || /^vite-/.test(request.headers["sec-websocket-protocol"] ?? "")) return;
    socket.on("error", () => {});
    loading.then(() => listener.upgrade(request, socket, head));
  });
}

/** Also those of HTTP/2, which have the same members. */
function isRequest(value: unknown): value is IncomingMessage {
  return value instanceof Object && "headers" in value && "socket" in value;
}

function isResponse(value: unknown): value is ServerResponse {
  return value instanceof Object && "writeHead" in value && "end" in value;
}

import type { Server } from "miragejs";
import { addControls, type HandlerControls } from "../execution/controls.ts";
import type { ExecutableRequest } from "../execution/graphql_request.ts";
import type { MockFetchHandlerOptions } from "./fetch_handler.ts";
import type { HandlerOptions } from "./handler.ts";
import { createFetchHandlerFor, type FetchHandler } from "../http/fetch_handler.ts";
import { createRouteHandler, type GraphQLHandler } from "../http/route_handler.ts";
import { createMockExecutor } from "./mock_executor.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import { createQuietServer } from "../orm/mirage/quiet_server.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";
import { subscribe, type SubscribeOptions } from "../streams/deliver_streams.ts";
import type { ResultStream } from "../streams/result_stream.ts";
import {
  createSocketHandler,
  type SocketHandlerOptions,
  type WebSocketHandler,
} from "../streams/socket_handler.ts";

/** Options of a mock: those of all its transports. */
export interface CreateMockOptions<Context = unknown>
  extends HandlerOptions<Context>, MockFetchHandlerOptions<Context>, SocketHandlerOptions {}

/** What is used of the package `msw`, in versions 2 and 3. */
export interface MswModule<Handler> {
  /** Its handlers of HTTP requests. */
  readonly http: {
    /** Handles all methods at an address. */
    all(
      address: string,
      resolver: (info: { readonly request: Request }) => Promise<Response>,
    ): Handler;
  };
}

/**
 * One GraphQL mock behind all transports: they share its records, planned failures, latency and log of
 * operations.
 */
export interface Mock extends HandlerControls {
  /** Answers as a route of a Mirage server: `server.post("/graphql", mock.route)`. */
  readonly route: GraphQLHandler;
  /** Answers fetch requests: `Deno.serve(mock.fetch)`, a service worker, a test. */
  readonly fetch: FetchHandler;
  /** Answers WebSockets, as what `createWebSocketHandler()` returns. */
  readonly webSocket: WebSocketHandler;
  /** Starts a subscription; its results can be read from then on. */
  subscribe(request: ExecutableRequest, options?: SubscribeOptions): ResultStream;
  /**
   * The request handlers of the package `msw`, which is passed in: `setupWorker(...mock.handlers(msw))`.
   *
   * @param address Where the GraphQL API is. @default {"*\/graphql"}
   */
  handlers<Handler>(msw: MswModule<Handler>, address?: string): Handler[];
  /** The Mirage server's schema. */
  readonly schema: MockSchema;
  /** The Mirage server's database: `mock.db.loadData({ people: [{ name: "Ada" }] })`. */
  readonly db: Server["db"];
}

/**
 * Creates a GraphQL mock that responds from Mirage's database, whatever the transport: as a route of a
 * Mirage server, to fetch requests, over WebSocket, to MSW, or called directly.
 *
 * @param graphQLSchema The schema, as for `createGraphQLHandler`.
 * @param mockSchema The schema of the Mirage server. Without one, the mock has a server of its own,
 * which intercepts no requests.
 * @throws {TypeError} If the schema has no member for a resolver.
 * @throws {Error} If a model can't be derived; the message contains the line to write.
 *
 * @example Plan a failure, whichever transport meets it
 * ```ts
 * import { deepStrictEqual, strictEqual } from "node:assert/strict";
 * import { createMock } from "@trestle/mirage-graphql";
 *
 * const mock = createMock(`
 *   type Person { id: ID! name: String! }
 *   type Query { people: [Person!]! }
 * `);
 * mock.db.loadData({ people: [{ name: "Ada" }] });
 *
 * mock.failNext("*", 503);
 * const url = "https://api.test/graphql?query={people{name}}";
 * strictEqual((await mock.fetch(new Request(url))).status, 503);
 *
 * deepStrictEqual(await mock.query("query People { people { name } }"), { people: [{ name: "Ada" }] });
 * deepStrictEqual(mock.operations.map(({ name }) => name), [undefined, "People"]);
 * ```
 */
export function createMock<Context = unknown>(
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema = createQuietServer().schema,
  options: CreateMockOptions<Context> = {},
): Mock {
  const executor = createMockExecutor(graphQLSchema, mockSchema, options);
  const fetch = createFetchHandlerFor(executor, options);
  return addControls({
    // the transports and the panel of this package take a mock as an executor
    run: executor.run,
    execute: executor.execute,
    inspection: executor.inspection,
    route: createRouteHandler(executor, options),
    fetch,
    webSocket: createSocketHandler(executor, options),
    subscribe: (request: ExecutableRequest, subscribeOptions: SubscribeOptions = {}) =>
      subscribe(executor, request, subscribeOptions),
    handlers: <Handler>({ http }: MswModule<Handler>, address = "*/graphql") => [
      http.all(address, ({ request }) => fetch(request)),
    ],
    schema: mockSchema,
    // Mirage types its database by the models that it was given; the GraphQL schema has others.
    db: mockSchema.db as Server["db"],
  }, executor);
}

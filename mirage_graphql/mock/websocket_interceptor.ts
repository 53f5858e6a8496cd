import { withCommon } from "./common_conventions.ts";
import { addControls, type HandlerControls } from "../execution/controls.ts";
import type { Executor } from "../execution/executor.ts";
import { MockSocket, type SocketLink } from "../intercept/mock_socket.ts";
import { defaultOrigin } from "../intercept/routes.ts";
import {
  parseAddress,
  parseSocketUrl,
  toSocketAddress,
  type WebSocketAddress,
} from "../intercept/socket_address.ts";
import { enterSocketGate, leaveSocketGate } from "../intercept/socket_class.ts";
import type { Mock } from "./mock.ts";
import { createMockExecutor, type MockOptions } from "./mock_executor.ts";
import type { MockSchema } from "../orm/mirage/mirage_schema.ts";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";
import type { ConnectionOptions } from "../streams/connection.ts";
import { createSocketService } from "../streams/socket_service.ts";

/** Options of a WebSocket interceptor. */
export interface WebSocketInterceptorOptions<Context = unknown>
  extends MockOptions<Context>, InterceptorOptions {}

/** Which sockets are answered, and how they connect. */
export interface InterceptorOptions extends ConnectionOptions {
  /**
   * Origin of addresses without one, in the interceptor's and in calls such as
   * `new WebSocket("/graphql")`.
   * @default {location.origin, or "http://localhost" if there is no location}
   */
  readonly origin?: string;
}

/** Answers sockets in this process, until it is restored. */
export interface WebSocketInterceptor extends HandlerControls, Disposable {
  /**
   * Restores `WebSocket`, unless another interceptor is active, and closes the sockets that were
   * answered, with 1001. Interceptors can be restored in any order, and more than once.
   */
  restore(): void;
}

/**
 * Answers each `new WebSocket()` to an address from Mirage's database, without a network, in a page,
 * on Deno and on Node. Sockets to other addresses are the platform's own. It starts at once, and by
 * the protocols of `createWebSocketHandler()`.
 *
 * Start it before a client is created: clients keep the class that they find.
 *
 * @param address A path, an absolute URL, either with segments such as `:id` and `*rest`, a `RegExp`
 * or a `URLPattern` of absolute addresses.
 * @throws {TypeError} If the address is none of these.
 *
 * @example Answer a client in a block
 * ```ts
 * import { createServer } from "miragejs";
 * import { createClient } from "graphql-ws";
 * import { createWebSocketInterceptor } from "@trestle/mirage-graphql/ws";
 *
 * const graphQLSchema = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
 * const { schema, db } = createServer({ environment: "test" });
 * db.loadData({ people: [{ name: "Ada" }] });
 *
 * using interceptor = createWebSocketInterceptor("wss://api.test/graphql", graphQLSchema, schema);
 * const client = createClient({ url: "wss://api.test/graphql" });
 * for await (const { data } of client.iterate({ query: "query People { people { name } }" })) {
 *   console.log(data); // { people: [{ name: "Ada" }] }
 * }
 * console.log(interceptor.operations.map(({ name }) => name)); // [ "People" ]
 * await client.dispose();
 * ```
 */
export function createWebSocketInterceptor<Context = unknown>(
  address: WebSocketAddress,
  graphQLSchema: GraphQLSchemaSource,
  mockSchema: MockSchema,
  options?: WebSocketInterceptorOptions<Context>,
): WebSocketInterceptor;
/** Answers them by a mock, which has the options but those of the connections. */
export function createWebSocketInterceptor(
  address: WebSocketAddress,
  mock: Mock,
  options?: InterceptorOptions,
): WebSocketInterceptor;
export function createWebSocketInterceptor<Context>(
  address: WebSocketAddress,
  source: GraphQLSchemaSource | Mock,
  ...rest: readonly [
    (MockSchema | InterceptorOptions)?,
    WebSocketInterceptorOptions<Context>?,
  ]
): WebSocketInterceptor {
  const known = isExecutor(source) ? source : undefined;
  const ofMock = rest[0] as InterceptorOptions | undefined;
  const options: WebSocketInterceptorOptions<Context> = (known ? ofMock : rest[1]) ?? {};
  const { origin = defaultOrigin() } = options;
  const isMeant = parseAddress(address, origin);
  const executor = known ??
    createMockExecutor(source as GraphQLSchemaSource, rest[0] as MockSchema, withCommon(options));
  const service = createSocketService(executor, options);
  const link: SocketLink = { open: service.open, opening: new Set() };
  const handler = {
    connect([input, protocols]: readonly unknown[], newTarget: NewableFunction) {
      const url = parseSocketUrl(input, globalThis.location?.href ?? origin);
      if (url === undefined || !isMeant(url)) return undefined;
      return Reflect.construct(MockSocket, [toSocketAddress(url, protocols), link], newTarget);
    },
  };
  const restore = () => {
    leaveSocketGate(handler);
    service.close();
    for (const breakOff of [...link.opening]) breakOff();
  };
  enterSocketGate(handler);
  return addControls({ restore, [Symbol.dispose]: restore }, executor);
}

/** A mock is an executor; a schema is not. */
function isExecutor(source: object | string): source is Mock & Executor {
  return typeof source === "object" && "run" in source;
}

/**
 * The functions of the main entry without dialects of their own: the option `conventions` takes those
 * of `@trestle/mirage-graphql/dialects`, and a page loads only the ones that it imports.
 *
 * @module
 */
export { createGraphQLHandler, type HandlerOptions } from "./handler.ts";
export { createMock, type CreateMockOptions, type Mock, type MswModule } from "./mock.ts";
export { createFetchHandler, type MockFetchHandlerOptions } from "./fetch_handler.ts";
export {
  createGraphQLSubscriptions,
  type GraphQLSubscriptions,
  type SubscribeOptions,
  type SubscriptionsOptions,
} from "./graphql_subscriptions.ts";
export type { ResultStream } from "./subscriptions/result_stream.ts";
export {
  mockGraphQLFieldResolver,
  mockGraphQLFieldResolver as mirageGraphQLFieldResolver,
} from "./resolvers/field_resolver.ts";
export type { ConventionOptions, Conventions, ConventionSwitches } from "./dialects/options.ts";
export type { IdFormat } from "./relay/global_id.ts";
export type { MockSchema } from "./orm/mirage.ts";
export type { CorsOption, CorsRules } from "./fetch/cors.ts";
export type { FetchHandler, FetchHandlerOptions } from "./fetch/executor_handler.ts";
export type { GraphiQLOption, RenderPage } from "./fetch/graphiql_page.ts";
export {
  createFetchInterceptor,
  FetchInterceptor,
  type FetchInterceptorOptions,
  type PassthroughArgument,
} from "./interceptor/fetch_interceptor.ts";
export type { PassthroughCheck, PassthroughRequest } from "./interceptor/intercepted_routes.ts";
export type { QueryParams } from "./interceptor/route_call.ts";
export type {
  ContextOption,
  ExecutionOptions,
  Latency,
  MockContext,
} from "./request/executor_options.ts";
export type {
  ExecutableRequest,
  GraphQLRequest,
  MockRequest,
  OperationInfo,
  OperationType,
  PromiseOrValue,
} from "./request/graphql_request.ts";
export type { HandlerControls } from "./request/handler_controls.ts";
export type { FormattedError, JsonAnswer, ResponseBody } from "./request/http_response.ts";
export type { HandledOperation, SeenOptions } from "./request/operation_log.ts";
export type { BatchOptions } from "./request/http_request.ts";
export type { UploadOptions } from "./request/uploads.ts";
export type { MirageResponse, PassedResponse } from "./request/passed_response.ts";
export type { Passthrough } from "./request/passthrough.ts";
export type { PersistedOperations, PersistedOptions } from "./request/persisted_documents.ts";
export type { PlannedFailure } from "./request/planned_failures.ts";
export {
  type QueryArguments,
  QueryError,
  type QueryFunction,
  type QueryOptions,
  type TypedDocument,
  type UntypedDocument,
} from "./request/query.ts";
export type { GraphQLHandler } from "./request/route_handler.ts";
export { GraphQLRouteResponse } from "./request/route_handler.ts";
export type {
  GraphQLSchemaSource,
  IntrospectionResult,
  TypeDefinitions,
} from "./schema/executable_schema.ts";
export type {
  FieldResolver,
  ResolverMap,
  ResolverObject,
  TypeResolvers,
} from "./schema/resolver_map.ts";
export type { MockOptions } from "./mock_executor.ts";
export type { AcceptedSocket, SocketListener } from "./websocket/accept_socket.ts";
export type { ConnectionOptions, ConnectionParams } from "./websocket/connection.ts";
export type { ServerSocket } from "./websocket/server_socket.ts";
export type { SocketHandlerOptions, WebSocketHandler } from "./websocket/socket_handler.ts";
export type { Dialect } from "./dialects/dialect.ts";

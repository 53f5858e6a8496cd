/**
 * The functions of the main entry without dialects of their own: the option `conventions` takes those
 * of `@trestle/mirage-graphql/dialects`, and a page loads only the ones that it imports.
 *
 * @module
 */
export { createGraphQLHandler, type HandlerOptions } from "./mock/handler.ts";
export { createMock, type CreateMockOptions, type Mock, type MswModule } from "./mock/mock.ts";
export { createFetchHandler, type MockFetchHandlerOptions } from "./mock/fetch_handler.ts";
export {
  createGraphQLSubscriptions,
  type GraphQLSubscriptions,
  type SubscriptionsOptions,
} from "./mock/graphql_subscriptions.ts";
export type { SubscribeOptions } from "./streams/deliver_streams.ts";
export type { ResultStream } from "./streams/result_stream.ts";
export {
  mockGraphQLFieldResolver,
  mockGraphQLFieldResolver as mirageGraphQLFieldResolver,
} from "./resolvers/field_resolver.ts";
export { type ChangeKind, changesOf, type ChangesResolver } from "./resolvers/changes_of.ts";
export type {
  ConventionOptions,
  Conventions,
  ConventionSwitches,
  SessionOptions,
} from "./dialects/options.ts";
export type { IdFormat } from "./relay/global_id.ts";
export type { PersistOptions } from "./mock/persist.ts";
export type { MockSchema } from "./orm/mirage/mirage_schema.ts";
export type { CorsOption, CorsRules } from "./http/cors.ts";
export type { FetchHandler, FetchHandlerOptions } from "./http/fetch_handler.ts";
export type { GraphiQLOption, RenderPage } from "./http/graphiql_page.ts";
export {
  createFetchInterceptor,
  FetchInterceptor,
  type FetchInterceptorOptions,
  type PassthroughArgument,
} from "./intercept/fetch_interceptor.ts";
export type { PassthroughCheck, PassthroughRequest } from "./intercept/intercepted_routes.ts";
export type { QueryParams } from "./intercept/route_call.ts";
export type {
  ContextOption,
  ExecutionOptions,
  Latency,
  MockContext,
} from "./execution/executor_options.ts";
export type {
  ExecutableRequest,
  GraphQLRequest,
  MockRequest,
  OperationInfo,
  OperationType,
  PromiseOrValue,
} from "./execution/graphql_request.ts";
export type { HandlerControls } from "./execution/controls.ts";
export type { FormattedError, JsonAnswer, ResponseBody } from "./http/http_response.ts";
export type { HandledOperation, SeenOptions } from "./execution/operation_log.ts";
export type { BatchOptions } from "./http/http_request.ts";
export type { UploadOptions } from "./http/uploads.ts";
export type { MirageResponse, PassedResponse } from "./execution/outcome.ts";
export type { Passthrough } from "./execution/passthrough.ts";
export type { PersistedOperations, PersistedOptions } from "./execution/persisted_documents.ts";
export type { PlannedFailure } from "./execution/operation_log.ts";
export {
  type QueryArguments,
  QueryError,
  type QueryFunction,
  type QueryOptions,
  type TypedDocument,
  type UntypedDocument,
} from "./execution/controls.ts";
export type { GraphQLHandler } from "./http/route_handler.ts";
export { GraphQLRouteResponse } from "./http/route_handler.ts";
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
export type { MockOptions } from "./mock/mock_executor.ts";
export type { AcceptedSocket, SocketListener } from "./streams/socket_handler.ts";
export type { ConnectionOptions, ConnectionParams } from "./streams/connection.ts";
export type { ServerSocket } from "./streams/connection.ts";
export type { SocketHandlerOptions, WebSocketHandler } from "./streams/socket_handler.ts";
export type { Dialect } from "./dialects/dialect.ts";

/**
 * Answers GraphQL over WebSocket from the in-memory database of a MirageJS mock server. It needs
 * the package `graphql-ws`.
 *
 * @module
 */
export {
  createWebSocketHandler,
  type SocketHandlerOptions,
  type WebSocketHandler,
  type WebSocketOptions,
} from "./mock/websocket_handler.ts";
export {
  createWebSocketInterceptor,
  type InterceptorOptions,
  type WebSocketInterceptor,
  type WebSocketInterceptorOptions,
} from "./mock/websocket_interceptor.ts";
export type { AddressPattern, WebSocketAddress } from "./intercept/socket_address.ts";
export type { AcceptedSocket, SocketListener } from "./streams/socket_handler.ts";
export type { ConnectionOptions, ConnectionParams } from "./streams/connection.ts";
export type { ServerSocket } from "./streams/connection.ts";

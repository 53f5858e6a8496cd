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
} from "./websocket_handler.ts";
export {
  createWebSocketInterceptor,
  type InterceptorOptions,
  type WebSocketInterceptor,
  type WebSocketInterceptorOptions,
} from "./websocket_interceptor.ts";
export type { AddressPattern, WebSocketAddress } from "./websocket/socket_address.ts";
export type { AcceptedSocket, SocketListener } from "./websocket/accept_socket.ts";
export type { ConnectionOptions, ConnectionParams } from "./websocket/connection.ts";
export type { ServerSocket } from "./websocket/server_socket.ts";

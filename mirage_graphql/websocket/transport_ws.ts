import { type ExecutionArgs, GraphQLError } from "graphql";
import { type Context, makeServer, type SubscribePayload } from "graphql-ws";
import { parseOne } from "../request/http_request.ts";
import { completeRequest } from "../request/http_response.ts";
import { toGraphQLError } from "../subscriptions/operation_streams.ts";
import type { ResultStream } from "../subscriptions/result_stream.ts";
import {
  type Connection,
  type Conversation,
  MAX_OPERATIONS,
  requestOf,
  withoutEmptyQuery,
} from "./connection.ts";
import { CLOSE } from "./server_socket.ts";

/**
 * Serves a connection by the protocol `graphql-transport-ws`.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export function serveTransportWs(connection: Connection): Conversation {
  const { socket, outbox, options } = connection;
  const server = makeServer({
    connectionInitWaitTimeout: options.connectionInitTimeout,
    onConnect: async ({ connectionParams = {} }) => {
      const answer = await options.onConnect(connectionParams, connection.request);
      return typeof answer === "object" ? { ...answer } : answer;
    },
    onSubscribe: (context, _id, payload) => prepare(connection, context, payload),
    execute: run,
    subscribe: run,
  });
  let receive: (text: string) => Promise<void> = () => Promise.resolve();
  const end = server.opened({
    protocol: connection.protocol,
    send: outbox.send,
    close: (code, reason) => socket.close(code, reason),
    onMessage(listener) {
      receive = listener;
    },
  }, undefined);
  return {
    receive(text) {
      // a message that only servers send is rejected with an error instead of a close code
      receive(text).catch(() => socket.close(CLOSE.badRequest, "Invalid message received"));
    },
    end() {
      end().catch(() => {});
    },
  };
}

/** The operation of a `subscribe` message, which the executor starts. */
class PreparedOperation {
  readonly start: () => ResultStream;

  constructor(start: () => ResultStream) {
    this.start = start;
  }
}

/**
 * The arguments with which `graphql-ws` runs an operation: the valid document, and the operation as
 * its context.
 */
async function prepare(
  connection: Connection,
  { subscriptions, connectionParams = {} }: Context,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  const { executor, start } = connection;
  if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
    return [new GraphQLError(`Cannot start an operation: ${MAX_OPERATIONS} run already`)];
  }
  const parsed = parseOne(withoutEmptyQuery(payload));
  if ("kind" in parsed) return [toGraphQLError(parsed)];
  const one = await completeRequest(executor, parsed);
  if ("kind" in one) return [toGraphQLError(one)];
  const validated = executor.documents.get(one.query);
  if ("errors" in validated) return validated.errors;
  const request = requestOf(connection, connectionParams);
  return {
    schema: executor.graphQLSchema,
    document: validated.document,
    operationName: one.operationName,
    contextValue: new PreparedOperation(() => start(one, request)),
  };
}

function run({ contextValue }: ExecutionArgs): ResultStream {
  if (contextValue instanceof PreparedOperation) return contextValue.start();
  throw new TypeError("Cannot run an operation that was not prepared");
}

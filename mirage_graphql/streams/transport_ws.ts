import { type ExecutionArgs, GraphQLError, GraphQLSchema, parse } from "graphql";
import { type Context, makeServer, type SubscribePayload } from "graphql-ws";
import { parseOne } from "../execution/executor.ts";
import {
  CLOSE,
  type Connection,
  type Conversation,
  MAX_OPERATIONS,
  requestOf,
  withoutEmptyQuery,
} from "./connection.ts";
import { errorsOf, SHARED_CONNECTION } from "./deliver_streams.ts";
import { ResultStream } from "./result_stream.ts";

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
    onSubscribe: (context, _id, payload) => start(connection, context, payload),
    execute: resultsOf,
    subscribe: resultsOf,
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

/** The arguments with which `graphql-ws` runs what the executor has started. */
class StartedOperation implements ExecutionArgs {
  readonly schema = NO_SCHEMA;
  readonly document = ANY_QUERY;
  readonly contextValue: ResultStream;

  constructor(results: ResultStream) {
    this.contextValue = results;
  }
}

const NO_SCHEMA = new GraphQLSchema({});
/** `graphql-ws` chooses by the document between `execute` and `subscribe`, which are the same. */
const ANY_QUERY = parse("{ __typename }");

/** Starts the operation of a `subscribe` message, or returns why it can't. */
async function start(
  connection: Connection,
  { subscriptions, connectionParams = {} }: Context,
  payload: SubscribePayload,
): Promise<ExecutionArgs | readonly GraphQLError[]> {
  if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
    return [new GraphQLError(`Cannot start an operation: ${MAX_OPERATIONS} run already`)];
  }
  const parsed = parseOne(withoutEmptyQuery(payload));
  const request = requestOf(connection, connectionParams);
  const started = "kind" in parsed
    ? parsed
    : await connection.executor.run(parsed, request, SHARED_CONNECTION);
  return "kind" in started ? errorsOf(started) : new StartedOperation(started);
}

function resultsOf({ contextValue }: ExecutionArgs): ResultStream {
  if (contextValue instanceof ResultStream) return contextValue;
  throw new TypeError("Cannot run an operation that was not started");
}

import type { MockRequest } from "../execution/graphql_request.ts";
import { parseOne } from "../execution/executor.ts";
import {
  CLOSE,
  type Connection,
  type ConnectionParams,
  type Conversation,
  MAX_OPERATIONS,
  requestOf,
  withoutEmptyQuery,
} from "./connection.ts";
import { isMap } from "../shared/values.ts";
import { errorsOf, SHARED_CONNECTION } from "./deliver_streams.ts";
import { ResultStream } from "./result_stream.ts";

/**
 * Serves a connection by the older protocol `graphql-ws`, which the package of the same name does
 * not support.
 *
 * @see https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
 */
export function serveLegacyWs(connection: Connection): Conversation {
  return new LegacyConversation(connection);
}

/** A message of the client, of which only the type is certain. */
interface ClientMessage {
  readonly type: string;
  readonly id?: unknown;
  readonly payload?: unknown;
}

type Operation = Pick<ResultStream, "return">;

class LegacyConversation implements Conversation {
  readonly #connection: Connection;
  /** What can be stopped: operations that run, and those that are about to start. */
  readonly #operations = new Map<string, Operation>();
  readonly #timeout: ReturnType<typeof setTimeout>;
  /** The request of operations; set by `connection_init`, which they wait for. */
  #accepted: Promise<MockRequest | undefined> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#timeout = setTimeout(() => {
      connection.socket.close(CLOSE.initTimeout, "Connection initialisation timeout");
    }, connection.options.connectionInitTimeout);
  }

  receive(text: string): void {
    const message = parseMessage(text);
    if (typeof message === "string") {
      this.#send("connection_error", { message });
      return;
    }
    const { type, payload } = message;
    const id = String(message.id);
    if (type === "connection_init") this.#initialize(isMap(payload) ? payload : {});
    else if (type === "start") this.#start(id, payload);
    else if (type === "stop") this.#stop(id);
    else if (type === "connection_terminate") this.#connection.socket.close();
    else this.#send("error", { message: `Cannot handle a message of type "${type}"` }, id);
  }

  end(): void {
    clearTimeout(this.#timeout);
    for (const id of [...this.#operations.keys()]) this.#stop(id);
  }

  #initialize(connectionParams: ConnectionParams): void {
    clearTimeout(this.#timeout);
    this.#accepted ??= this.#accept(connectionParams);
  }

  async #accept(connectionParams: ConnectionParams): Promise<MockRequest | undefined> {
    const { socket, options, request } = this.#connection;
    try {
      const answer = await options.onConnect(connectionParams, request);
      if (answer === false) throw new Error("Cannot connect: onConnect() refused");
      this.#send("connection_ack", typeof answer === "object" ? answer : undefined);
      return requestOf(this.#connection, connectionParams);
    } catch (error) {
      this.#send("connection_error", { message: messageOf(error) });
      socket.close(CLOSE.forbidden, "Forbidden");
      return undefined;
    }
  }

  /** Clients start operations without waiting for `connection_ack`. */
  async #start(id: string, payload: unknown): Promise<void> {
    if (this.#accepted === undefined) {
      return this.#send("error", { message: "Cannot start: send connection_init first" }, id);
    }
    this.#stop(id);
    if (this.#operations.size >= MAX_OPERATIONS) {
      const message = `Cannot start an operation: ${MAX_OPERATIONS} run already`;
      return this.#send("error", { message }, id);
    }
    const starting: Operation = new ResultStream({});
    this.#operations.set(id, starting);
    const parsed = parseOne(withoutEmptyQuery(payload));
    const request = await this.#accepted;
    if (request === undefined || this.#operations.get(id) !== starting) return;
    const started = "kind" in parsed
      ? parsed
      : await this.#connection.executor.run(parsed, request, SHARED_CONNECTION);
    const results = "kind" in started && started.kind === "result"
      ? new ResultStream(started.result)
      : started;
    if (this.#operations.get(id) !== starting) return void ("kind" in results || results.return());
    if (!("kind" in results)) return await this.#pass(id, results);
    this.#operations.delete(id);
    for (const error of errorsOf(results)) this.#send("error", error, id);
  }

  async #pass(id: string, results: ResultStream): Promise<void> {
    this.#operations.set(id, results);
    try {
      for await (const result of results) await this.#send("data", result, id);
      this.#send("complete", undefined, id);
    } catch (error) {
      this.#send("error", { message: messageOf(error) }, id);
    } finally {
      if (this.#operations.get(id) === results) this.#operations.delete(id);
    }
  }

  #stop(id: string): void {
    this.#operations.get(id)?.return();
    this.#operations.delete(id);
  }

  #send(type: string, payload?: object, id?: string): Promise<void> {
    return this.#connection.outbox.send(JSON.stringify({ type, id, payload }));
  }
}

/** The message, or why it is not valid. */
function parseMessage(text: string): ClientMessage | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `Cannot read the message: ${messageOf(error)}`;
  }
  if (isMap(value) && typeof value.type === "string") return { ...value, type: value.type };
  return "Cannot read the message: it has no type";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { firstOf, within } from "../../../shared/deadline.ts";
import type { PostgresOptions } from "../database_target.ts";
import type { QueryBounds } from "../sql_session.ts";
import { connectClient, createPostgresClient, type PostgresClient } from "./client.ts";
import { SimpleQuery } from "./exchange.ts";

/** The code of a cancel request (PostgreSQL manual, 55.7, CancelRequest). */
const CANCEL_REQUEST = 80_877_102;
const ASK_MS = 2_000;
/**
 * How much later than the engine a statement is stopped, which may have changed the engine's
 * time-out.
 */
const OWN_TIMEOUT_AFTER_MS = 250;
const TERMINATE_AFTER_MS = 1_000;
const DESTROY_AFTER_MS = 2_000;

/** A session whose statement may be stopped. */
export interface StopTarget {
  readonly client: PostgresClient;
  readonly server: PostgresOptions;
  /** Called when the statement is to be stopped. */
  readonly onStop: () => void;
  /** Closes the connection, as nothing else helped. */
  readonly destroy: () => void;
}

/**
 * Stops a statement when its time is over or its call is stopped: first with a cancel request, then
 * by ending the session. When the disposal resolves, the server has received the cancel request, so
 * it can't hit the next statement.
 */
export function stopWhen(
  { timeoutMs, signal }: Pick<QueryBounds, "timeoutMs" | "signal">,
  { client, server, onStop, destroy }: StopTarget,
): AsyncDisposable {
  const deadlines = new DisposableStack();
  let cancelled: Promise<void> | undefined;
  const after = (ms: number, act: () => void) => deadlines.use(firstOf({ timeoutMs: ms }, act));
  const stop = () => {
    onStop();
    cancelled = sendCancelRequest(client);
    after(TERMINATE_AFTER_MS, () => void terminateBackend(server, client.processID));
    after(DESTROY_AFTER_MS, destroy);
  };
  deadlines.use(firstOf({ signal, timeoutMs: timeoutMs + OWN_TIMEOUT_AFTER_MS }, stop));
  return {
    [Symbol.asyncDispose]: async () => {
      deadlines.dispose();
      await cancelled;
    },
  };
}

/**
 * Sends PostgreSQL a cancel request for a client's statement over a new connection, without TLS, as
 * libpq's `PQcancel()` does. Resolves when the server has received it or can't be reached.
 */
function sendCancelRequest(
  { host, port, processID, secretKey }: PostgresClient,
): Promise<void> {
  const message = Buffer.alloc(16);
  [16, CANCEL_REQUEST, processID, secretKey].forEach((word, at) => {
    message.writeInt32BE(word | 0, at * 4);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = host.startsWith("/")
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port });
  socket.setTimeout(ASK_MS, () => socket.destroy());
  socket.on("connect", () => socket.write(message));
  socket.on("error", () => socket.destroy());
  socket.on("data", () => {});
  socket.on("end", () => socket.end());
  socket.on("close", () => resolve());
  return promise;
}

/**
 * Ends the session of a client that a cancel request did not stop, because a statement may catch
 * it.
 */
async function terminateBackend(server: PostgresOptions, processId: number): Promise<void> {
  const client = await createPostgresClient(server);
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  client.on("error", () => {});
  client.on("end", resolve);
  try {
    await connectClient(client, AbortSignal.timeout(ASK_MS));
    client.connection.on("readyForQuery", () => resolve());
    client.query(new SimpleQuery(`SELECT pg_catalog.pg_terminate_backend(${processId})`));
    // `end()` would close the connection before the statement is on its way.
    await within(answered, ASK_MS);
  } catch {
    // The server can't be reached: there is no session left to end.
  } finally {
    client.connection.stream.destroy();
  }
}

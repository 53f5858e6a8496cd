import { Buffer } from "node:buffer";
import { connect } from "node:net";
import type { PostgresOptions } from "../database_target.ts";
import { connectClient, createPostgresClient, type PostgresClient } from "./client.ts";
import { SimpleQuery } from "./exchange.ts";

/** The code of a cancel request (PostgreSQL manual, 55.7, CancelRequest). */
const CANCEL_REQUEST = 80_877_102;
const ASK_MS = 2_000;

/**
 * Sends PostgreSQL a cancel request for a client's statement over a new connection, without TLS, as
 * libpq's `PQcancel()` does. Resolves when the server has received it or can't be reached.
 */
export function sendCancelRequest(
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
export async function terminateBackend(server: PostgresOptions, processId: number): Promise<void> {
  const client = await createPostgresClient(server);
  client.on("error", () => {});
  try {
    await connectClient(client, AbortSignal.timeout(ASK_MS));
    client.query(new SimpleQuery(`SELECT pg_catalog.pg_terminate_backend(${processId})`));
    await client.end();
  } catch {
    // The server can't be reached: there is no session left to end.
  }
}

import { firstOf } from "../../../shared/deadline.ts";
import { loadPackage } from "../../../shared/working_folder.ts";
import type { PostgresOptions } from "../database_target.ts";
import type { MessageSource } from "./messages.ts";

/** The part of `pg`'s connection that is used: messages of the protocol (manual, 55.7). */
export interface WireConnection extends MessageSource {
  readonly stream: { cork(): void; uncork(): void; destroy(): void };
  query(text: string): void;
  parse(message: { text: string; name: string }): void;
  bind(message: { portal: string; statement: string; values: (string | null)[] }): void;
  describe(message: { type: "P"; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
  sendCopyFail(reason: string): void;
  on(event: "readyForQuery", listener: (message: { status: string }) => void): void;
  on(event: "parameterStatus", listener: (message: ParameterStatus) => void): void;
  on(event: "notice", listener: (message: WireNotice) => void): void;
}

/** A setting of the session that the server reports (manual, 55.2.7). */
export interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The fields of a notice (manual, 55.8); one that was cut lacks some. */
export interface WireNotice {
  readonly severity?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

/** What `pg` calls during an exchange of messages. */
export interface Exchange {
  submit(connection: WireConnection): null;
  handleRowDescription(message: { fields: readonly WireField[] }): void;
  handleDataRow(message: { fields: readonly (string | null)[] }): void;
  handlePortalSuspended(connection: WireConnection): void;
  handleCommandComplete(message: { text: string }, connection: WireConnection): void;
  handleEmptyQuery(connection: WireConnection): void;
  handleError(error: unknown, connection: WireConnection): void;
  handleCopyInResponse(connection: WireConnection): void;
  handleReadyForQuery(): void;
}

/** A column of an answer. */
export interface WireField {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The part of `pg`'s client that is used. */
export interface PostgresClient {
  readonly connection: WireConnection;
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  connect(): Promise<unknown>;
  query(exchange: Exchange): unknown;
  on(event: "error", listener: (error: Error) => void): void;
  on(event: "end", listener: () => void): void;
}

interface PgModule {
  readonly Client: new (config: object) => PostgresClient;
}

const CONNECT_MS = 5_000;

/** Creates a client that is not connected yet; `pg` is imported on the first call. */
export async function createPostgresClient(server: PostgresOptions): Promise<PostgresClient> {
  const { default: pg }: { default: PgModule } = await loadPackage("pg", () => import("pg"));
  return new pg.Client({
    ...server,
    application_name: "trestle",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
}

/** Connects a client; rejects after 5 s, and at once if the signal aborts. */
export async function connectClient(client: PostgresClient, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stop = () => client.connection.stream.destroy();
  using _deadline = firstOf({ signal }, stop);
  try {
    await client.connect();
  } catch (error) {
    stop();
    throw signal.aborted ? signal.reason : error;
  }
}

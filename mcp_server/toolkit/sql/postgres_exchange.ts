import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { firstOf, within } from "../../shared/concurrency.ts";
import { jsonTextLength, withoutUnset } from "../../shared/json.ts";
import type { PostgresOptions } from "./database_target.ts";
import {
  connectClient,
  createPostgresClient,
  type MessageReader,
  type PostgresClient,
  type WireConnection,
  type WireField,
  type WireNotice,
} from "./postgres_client.ts";
import {
  bytesOfNames,
  cutText,
  type QueryBounds,
  type QueryNotice,
  RowBudget,
  type RowsAs,
} from "./sql_session.ts";

/**
 * Rows fetched at once, and thus the most that are read beyond the budget: those of a query without
 * a limit of its own, and one more, by which a cut is noticed.
 */
const ROWS_AT_ONCE = 1_001;
/** What is read of a statement's notices, of which a block can raise a million. */
const NOTICES = 20;
/** The longest text of a notice. */
const NOTICE_LENGTH = 1_024;

/** A row as it was received. */
export type WireRow = readonly (string | null)[];

/**
 * The outcome of an exchange, which `pg` reports in parts; the session waits for "ready for query".
 */
abstract class BaseExchange implements MessageReader {
  /** The first error, which names the cause. */
  error: unknown;
  /** What the statement did, such as `INSERT 0 3`. */
  tag = "";

  abstract readonly full: boolean;
  abstract readonly readsAnswer: boolean;

  abstract submit(connection: WireConnection): null;
  /** The statement has ended, successfully or not; an error may still follow. */
  protected abstract end(connection: WireConnection): void;

  handleRowDescription(_message: { fields: readonly WireField[] }): void {}
  handleDataRow(_message: { fields: WireRow }): void {}
  handlePortalSuspended(_connection: WireConnection): void {}
  handleReadyForQuery(): void {}

  /** Takes a notice that was read. */
  handleNotice(_notice: WireNotice): void {}

  wantsRow(_bytes: number): boolean {
    return false;
  }

  wantsNotice(): boolean {
    return false;
  }

  isLastReady(): boolean {
    return true;
  }

  onCopyData(): void {}

  handleCommandComplete({ text }: { text: string }, connection: WireConnection): void {
    this.tag = text;
    this.end(connection);
  }

  handleEmptyQuery(connection: WireConnection): void {
    this.end(connection);
  }

  handleError(error: unknown, connection: WireConnection): void {
    this.error ??= error;
    this.end(connection);
  }

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail("there is no data to copy; use INSERT");
  }
}

/**
 * The session's own statements, of which only an error is read. One text may contain several, which run
 * in one transaction; several texts are sent together.
 */
export class SimpleQuery extends BaseExchange {
  readonly full = true;
  readonly readsAnswer = false;
  readonly #texts: readonly string[];
  #running: number;

  constructor(...texts: readonly string[]) {
    super();
    this.#texts = texts;
    this.#running = texts.length;
  }

  override isLastReady(): boolean {
    return --this.#running === 0;
  }

  submit(connection: WireConnection): null {
    connection.stream.cork();
    for (const text of this.#texts) connection.query(text);
    connection.stream.uncork();
    return null;
  }

  protected end(): void {}
}

/**
 * One statement of a caller over the extended protocol (manual, 55.2.3). If its rows come at once,
 * everything goes out together, and the answer takes one round trip; otherwise they are read in
 * pieces.
 */
export class ExtendedQuery extends BaseExchange {
  readonly readsAnswer = true;
  fields: readonly WireField[] = [];
  /** `COPY ... TO STDOUT` has sent data, which was dropped. */
  copied = false;
  readonly budget: RowBudget<WireRow>;
  readonly notices: QueryNotice[] = [];
  readonly #text: string;
  readonly #values: (string | null)[];
  readonly #rowsAs: RowsAs;
  #bytesPerRow = 0;
  #noticesSeen = 0;
  #synced = false;

  constructor(
    text: string,
    values: (string | null)[],
    bounds: Pick<QueryBounds, "maxRows" | "maxBytes" | "rowsAs">,
  ) {
    super();
    this.#text = text;
    this.#values = values;
    this.budget = new RowBudget(bounds);
    this.#rowsAs = bounds.rowsAs;
  }

  get full(): boolean {
    return this.budget.full;
  }

  override wantsRow(bytes: number): boolean {
    return this.budget.mayTake(bytes);
  }

  override wantsNotice(): boolean {
    return this.#noticesSeen++ < NOTICES;
  }

  override handleNotice(notice: WireNotice): void {
    this.notices.push(toNotice(notice));
  }

  override onCopyData(): void {
    this.copied = true;
  }

  submit(connection: WireConnection): null {
    connection.stream.cork();
    connection.parse({ text: this.#text, name: "" });
    connection.bind({ portal: "", statement: "", values: this.#values });
    connection.describe({ type: "P", name: "" });
    this.#fetch(connection);
    if (this.budget.left < ROWS_AT_ONCE) this.end(connection);
    else connection.flush();
    connection.stream.uncork();
    return null;
  }

  override handleRowDescription({ fields }: { fields: readonly WireField[] }): void {
    this.fields = fields;
    const { heading, perRow } = bytesOfNames(fields.map(({ name }) => name), this.#rowsAs);
    this.budget.takeHeading(heading);
    this.#bytesPerRow = perRow;
  }

  override handleDataRow({ fields }: { fields: WireRow }): void {
    const size = fields.reduce(
      (sum, field) => sum + (field === null ? 4 : jsonTextLength(field)),
      this.#bytesPerRow,
    );
    this.budget.take(fields, size);
  }

  override handlePortalSuspended(connection: WireConnection): void {
    if (this.budget.full || this.#synced) return this.end(connection);
    this.#fetch(connection);
    connection.flush();
  }

  /** While the server expects data, it ignores the Sync that came with the statement. */
  override handleCopyInResponse(connection: WireConnection): void {
    super.handleCopyInResponse(connection);
    if (this.#synced) connection.sync();
  }

  /** Each Sync is answered, so a second one would end the next statement too early. */
  protected end(connection: WireConnection): void {
    if (!this.#synced) connection.sync();
    this.#synced = true;
  }

  /** One row more than fits, so that a cut is noticed. */
  #fetch(connection: WireConnection): void {
    const rows = Math.min(this.budget.left + 1, ROWS_AT_ONCE);
    connection.execute({ portal: "", rows });
  }
}

/** The number at the end of a command tag, such as `UPDATE 3`; 0 if there is none. */
export function countOfTag(tag: string): number {
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}

/** Keeps the first characters of a notice's texts. */
function toNotice(
  { severity = "NOTICE", code = "00000", message = "", detail = "", hint = "" }: WireNotice,
): QueryNotice {
  let left = NOTICE_LENGTH;
  const cut = (text: string) => {
    const part = left > 0 ? cutText(text, left) : "";
    left -= part.length;
    return part;
  };
  const kept = { severity, code, message: cut(message) };
  return withoutUnset({ ...kept, detail: cut(detail) || undefined, hint: cut(hint) || undefined });
}

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

/**
 * Stops a statement when its time is over or its call is stopped: first with a cancel request, then
 * by ending the session, at last by `destroy`, which closes the connection. When the disposal
 * resolves, the server has received the cancel request, so it can't hit the next statement.
 */
export function stopWhen(
  { timeoutMs, signal }: Pick<QueryBounds, "timeoutMs" | "signal">,
  client: PostgresClient,
  server: PostgresOptions,
  { onStop, destroy }: { readonly onStop: () => void; readonly destroy: () => void },
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

import { firstOf } from "../../shared/concurrency.ts";
import type { JsonValue } from "../../shared/json.ts";
import type { PostgresOptions } from "./database_target.ts";
import {
  connectClient,
  createPostgresClient,
  filterMessages,
  type PostgresClient,
} from "./postgres_client.ts";
import {
  countOfTag,
  ExtendedQuery,
  SimpleQuery,
  stopWhen,
  type WireRow,
} from "./postgres_exchange.ts";
import {
  type ArrayLookup,
  type ArrayType,
  builtInArray,
  parsePostgresValue,
  toPostgresParams,
} from "./postgres_values.ts";
import {
  type BatchOptions,
  connectionLost,
  failed,
  type OpenOptions,
  type QueryBounds,
  type QueryOutcome,
  type SqlQuery,
  type SqlSession,
  toQueryError,
} from "./sql_session.ts";
import { transactionCommand } from "./statement_text.ts";

const LOCK_TIMEOUT_MS = 5_000;
/**
 * The time limit of the session's own statements, which are short; a server that takes longer
 * counts as lost.
 */
const OWN_STATEMENT_MS = 3_000;

/** Values are sent in lossless forms, whatever the role's defaults are. */
const ENCODING = "UTF8";
const LOSSLESS = "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET extra_float_digits = 1";
/** The notices of a statement are part of its result. */
const NOTICES = "SET client_min_messages = notice";
/** A connection that was used within this time needs no statement to find out whether it is alive. */
const FRESH_MS = 1_000;
/** How many types are remembered before they are looked up anew: temporary tables have new ones. */
const MOST_TYPES = 10_000;
/** After its first snapshot no statement can make the transaction writable. */
const BEGIN_READ_ONLY = "BEGIN READ ONLY; SELECT 1";
/** The tag of a COMMIT in a failed transaction (manual, COMMIT and 55.7, CommandComplete). */
const ROLLED_BACK = "ROLLBACK";
const ABORTED =
  "Cannot commit the transaction: one of its queries failed, so all of it was rolled " +
  "back; correct that query and run all of them again";
const FIND_ARRAYS = `SELECT a.oid, coalesce(nullif(e.typbasetype, 0), e.oid) AS element, e.typdelim
  FROM pg_catalog.pg_type a JOIN pg_catalog.pg_type e ON e.oid = a.typelem
  WHERE a.oid = ANY($1) AND a.typcategory = 'A' AND a.typlen = -1`;

/** A connection to PostgreSQL. */
export class PostgresSession implements SqlSession {
  readonly #client: PostgresClient;
  readonly #server: PostgresOptions;
  /** Types that were looked up; `null` for one that is not an array. */
  readonly #arrays = new Map<number, ArrayType | null>();
  /** `I` idle, `T` in a transaction, `E` in a failed one (manual, 55.7, ReadyForQuery). */
  #status = "I";
  /** A commit rolled the transaction back. */
  #rolledBack = false;
  #lost = false;
  #stopped = false;
  #readOnly = false;
  /** The settings that hold for the next batch, and since when; none before the first batch. */
  #settled = { settings: "", at: -Infinity };
  /** What is done after a batch for the next one. */
  #tidying: Promise<void> = Promise.resolve();
  /** The encoding in which the server sends text; `pg` reads all text as UTF-8. */
  #encoding = ENCODING;
  #exchange: SimpleQuery | ExtendedQuery | undefined;
  #finish: (() => void) | undefined;

  private constructor(
    client: PostgresClient,
    server: PostgresOptions,
    onLost: OpenOptions["onLost"],
  ) {
    this.#client = client;
    this.#server = server;
    const lose = (why: string) => {
      if (!this.#lost) onLost(why);
      this.#lost = true;
      client.connection.stream.destroy();
    };
    filterMessages(client.connection, () => this.#exchange);
    client.connection.on("readyForQuery", ({ status }) => {
      this.#status = status;
      this.#finish?.();
    });
    client.connection.on("parameterStatus", ({ parameterName, parameterValue }) => {
      if (parameterName === "client_encoding") this.#encoding = parameterValue;
    });
    client.connection.on("notice", (notice) => this.#exchange?.handleNotice(notice));
    client.on("error", (error) => lose(error.message));
    client.on("end", () => {
      lose("the connection was closed");
      this.#finish?.();
    });
  }

  /** Connects; rejects with the error of `pg` or the server. */
  static async open(server: PostgresOptions, options: OpenOptions): Promise<PostgresSession> {
    const client = await createPostgresClient(server);
    const session = new PostgresSession(client, server, options.onLost);
    await connectClient(client, options.signal);
    return session;
  }

  get usable(): boolean {
    return !this.#lost && !this.#stopped;
  }

  async begin({ readOnly, timeoutMs }: BatchOptions): Promise<boolean> {
    await this.#tidying;
    this.#readOnly = readOnly;
    const lockMs = Math.min(LOCK_TIMEOUT_MS, timeoutMs);
    const settings =
      `SET statement_timeout = ${timeoutMs}; SET lock_timeout = ${lockMs}; ${NOTICES}; ${LOSSLESS}`;
    const isFresh = performance.now() - this.#settled.at < FRESH_MS;
    if (isFresh && this.#settled.settings === settings) return this.usable;
    return await this.#settle(settings);
  }

  async run(query: SqlQuery, bounds: QueryBounds): Promise<QueryOutcome> {
    if (this.#lost || this.#readOnly && !await this.#own(BEGIN_READ_ONLY)) {
      return connectionLost({ sent: false });
    }
    const outcome = await this.#inUTF8(await this.#run(query, bounds));
    if (this.#readOnly && this.#status !== "I") await this.#own("ROLLBACK");
    return outcome;
  }

  async reset(): Promise<{ rolledBack: boolean }> {
    const open = this.#status !== "I";
    if (open) await this.#own("ROLLBACK");
    if (this.usable) this.#tidying = untilAnswered().then(() => this.#tidy());
    const rolledBack = open || this.#rolledBack;
    this.#rolledBack = false;
    return { rolledBack };
  }

  /** Forgets what a batch left behind, and prepares for one like it; the answer is on its way. */
  async #tidy(): Promise<void> {
    const { settings } = this.#settled;
    if (!await this.#settle(settings, "DISCARD ALL")) await this.close();
  }

  /** `DISCARD ALL` may not be in one text with others (manual, DISCARD). */
  async #settle(settings: string, ...before: readonly string[]): Promise<boolean> {
    const isDone = await this.#own(...before, settings);
    if (isDone) this.#settled = { settings, at: performance.now() };
    return isDone;
  }

  close(): Promise<void> {
    this.#lost = true;
    this.#client.connection.stream.destroy();
    return Promise.resolve();
  }

  async #run(query: SqlQuery, bounds: QueryBounds): Promise<QueryOutcome> {
    const exchange = toExchange(query, bounds);
    if (!(exchange instanceof ExtendedQuery)) return exchange;
    const wasOpen = this.#status !== "I";
    {
      await using _stop = stopWhen(bounds, this.#client, this.#server, {
        onStop: () => this.#stopped = true,
        destroy: () => void this.close(),
      });
      await this.#send(exchange);
    }
    const ends = wasOpen && transactionCommand(query.text, "postgres") === "commit";
    const outcome = this.#failureOf(exchange, ends) ?? await this.#answer(exchange);
    const { notices } = exchange;
    return notices.length > 0 ? { ...outcome, notices } : outcome;
  }

  /** Why a statement failed; `ends`: it was to commit a transaction. */
  #failureOf({ error, tag, copied }: ExtendedQuery, ends: boolean): QueryOutcome | undefined {
    const hasFailed = error !== undefined;
    const isAborted = ends && tag === ROLLED_BACK;
    if (isAborted || (ends && hasFailed && this.#status === "I")) this.#rolledBack = true;
    if (isAborted) return failed("TRANSACTION_ABORTED", ABORTED);
    if (hasFailed) return this.#failed(error);
    if (this.#lost) return connectionLost({ sent: true });
    if (!copied) return undefined;
    return failed("0A000", "Cannot return what COPY ... TO STDOUT sends: use SELECT");
  }

  async #answer({ budget, fields, tag }: ExtendedQuery): Promise<QueryOutcome> {
    const { rows, bytes, full, nameless, refusedBytes } = budget;
    if (this.#arrays.size > MOST_TYPES) this.#arrays.clear();
    await this.#learnArrays(fields.map(({ dataTypeID }) => dataTypeID));
    if (this.#lost) return connectionLost({ sent: true });
    return {
      ok: true,
      columns: nameless ? [] : fields.map(({ name }) => name),
      rows: this.#toValues(rows, fields),
      rowCount: fields.length > 0 ? rows.length : countOfTag(tag),
      truncated: full,
      bytes,
      refusedBytes,
    };
  }

  /** The server's errors, which have a severity, stay as they are; those of a socket get advice. */
  #failed(error: unknown): QueryOutcome {
    const own = toQueryError(error);
    const isOfServer = error instanceof Error && "severity" in error;
    if (!this.#lost || isOfServer) return { ok: false, error: own, inDoubt: this.#lost };
    const lost = connectionLost({ sent: true, why: own.message });
    return { ...lost, error: { ...lost.error, code: own.code } };
  }

  /** Text in another encoding would be read wrongly, so the answer is rejected. */
  async #inUTF8(outcome: QueryOutcome): Promise<QueryOutcome> {
    const encoding = this.#encoding;
    if (encoding === ENCODING || !this.usable) return outcome;
    if (!await this.#own(`SET client_encoding = ${ENCODING}`)) await this.close();
    return failed(
      "INVALID_TEXT",
      `Cannot read text in client_encoding "${encoding}": it is ${ENCODING} again`,
    );
  }

  #toValues(rows: readonly WireRow[], fields: ExtendedQuery["fields"]): JsonValue[][] {
    const arrayOf: ArrayLookup = (type) => builtInArray(type) ?? this.#arrays.get(type);
    return rows.map((row) =>
      fields.map(({ dataTypeID }, at) => parsePostgresValue(row[at] ?? null, dataTypeID, arrayOf))
    );
  }

  /** Looks up types in the catalog that are not built in, such as an array of an enumeration. */
  async #learnArrays(types: readonly number[]): Promise<void> {
    const unknown = types.filter((type) =>
      builtInArray(type) === undefined && !this.#arrays.has(type)
    );
    if (unknown.length === 0) return;
    const bounds = { maxRows: unknown.length, maxBytes: Infinity, rowsAs: "arrays" } as const;
    const exchange = new ExtendedQuery(FIND_ARRAYS, [`{${unknown.join(",")}}`], bounds);
    await this.#sendOwn(exchange);
    for (const type of unknown) this.#arrays.set(type, null);
    for (const [type, element, delimiter] of exchange.budget.rows) {
      this.#arrays.set(Number(type), { element: Number(element), delimiter: delimiter ?? "," });
      await this.#learnArrays([Number(element)]);
    }
  }

  /** Runs the session's own statements; returns `false` if they fail. */
  async #own(...texts: readonly string[]): Promise<boolean> {
    const exchange = new SimpleQuery(...texts);
    await this.#sendOwn(exchange);
    return exchange.error === undefined && !this.#lost;
  }

  async #sendOwn(exchange: SimpleQuery | ExtendedQuery): Promise<void> {
    using _deadline = firstOf({ timeoutMs: OWN_STATEMENT_MS }, () => void this.close());
    await this.#send(exchange);
  }

  /** Resolves when the server is ready for the next statement, or the connection is lost. */
  async #send(exchange: SimpleQuery | ExtendedQuery): Promise<void> {
    if (this.#lost) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#finish = resolve;
    this.#exchange = exchange;
    this.#client.query(exchange);
    await promise;
    this.#finish = this.#exchange = undefined;
  }
}

/**
 * Resolves once the answer of a batch is on its way, if nothing else has to be waited for: `Deno.serve()`
 * writes it between two turns of the event loop.
 */
function untilAnswered(): Promise<void> {
  return new Promise((resolve) => void setImmediate(() => void setImmediate(resolve)));
}

/**
 * Writes a statement's messages; if the protocol can't carry a value, the statement fails and
 * nothing is sent.
 */
function toExchange(
  { text, params }: SqlQuery,
  bounds: QueryBounds,
): ExtendedQuery | ReturnType<typeof failed> {
  try {
    return new ExtendedQuery(text, toPostgresParams(params), bounds);
  } catch (error) {
    return { ok: false, error: toQueryError(error, "22023") };
  }
}

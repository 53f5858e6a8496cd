import { firstOf } from "../shared/concurrency.ts";
import type { Notice, Statement } from "../jobs/sql.ts";
import { Listeners } from "../jobs/sql_store.ts";
import type { PgClient, PostgresDatabase } from "./postgres_database.ts";

/** That there may be work. */
export interface WorkNotice {
  /** The queue; absent if it may be any. */
  readonly route?: string;
  /** Whether this server was chosen for it, as one of few. */
  readonly isChosen: boolean;
}

/** How often changes are assumed if PostgreSQL reports them, and if it can't. */
const POLL_MS = { listening: 5_000, deaf: 1_000 };

/**
 * Reports changes of a store: by LISTEN and NOTIFY, of which the payload is the sender, the kind of
 * change, its subject, and the servers that it is for if it is work for few; and by assuming a change from time to time, since a notification may be
 * lost with its connection, and PgBouncer passes none on in its transaction mode.
 */
export class PostgresChanges {
  readonly #database: PostgresDatabase;
  readonly #sender: string = crypto.randomUUID().slice(0, 8);
  readonly #listeners = new Listeners<string | undefined>();
  readonly #workers = new Listeners<WorkNotice>();
  readonly #messages = new Listeners<void>();
  readonly #closed = new AbortController();
  /** Identity of this server, which commands are addressed to. */
  readonly #server: () => string;
  #listening: Promise<void> | undefined;
  #isListening = false;

  constructor(database: PostgresDatabase, server: () => string) {
    this.#database = database;
    this.#server = server;
  }

  /** Begins to listen, on a connection of its own. */
  start(): void {
    this.#listening ??= this.#listen();
  }

  /** Whether PostgreSQL reports changes, or they are looked for every second. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Calls back after each change, until disposed of; without an id, any job may have changed. */
  listen(listener: (id: string | undefined) => void): Disposable {
    return this.#listeners.add(listener);
  }

  /** Calls back if there may be work, until disposed of. */
  onWork(listener: (notice: WorkNotice) => void): Disposable {
    return this.#workers.add(listener);
  }

  /** Calls back if there may be messages for this server, until disposed of. */
  onMessage(listener: () => void): Disposable {
    return this.#messages.add(listener);
  }

  /** Notifies the other servers, with the transaction. */
  notify(notice: Notice, subject: string): Statement {
    return [
      "SELECT pg_notify($1, $2)",
      this.#database.schema,
      `${this.#sender} ${notice} ${subject}`,
    ];
  }

  /** Reports a change of this server, once it is committed. */
  report(id?: string): void {
    this.#listeners.report(id);
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const client = this.#database.createClient();
      const broken = Promise.withResolvers<void>();
      client.on("error", () => broken.resolve());
      client.on("end", () => broken.resolve());
      client.on("notification", ({ payload = "" }) => this.#receive(payload));
      this.#isListening = await subscribe(client, this.#database.schema);
      await this.#poll(this.#isListening ? broken.promise : Promise.resolve());
      this.#isListening = false;
      void client.end().catch(() => {});
    }
  }

  /** Assumes changes until the connection breaks, and once more afterwards. */
  async #poll(broken: Promise<void>): Promise<void> {
    const { signal } = this.#closed;
    for (let isBroken = false; !isBroken && !signal.aborted;) {
      this.report();
      this.#workers.report({ isChosen: false });
      this.#messages.report();
      using deadline = firstOf({
        signal,
        timeoutMs: this.#isListening ? POLL_MS.listening : POLL_MS.deaf,
      });
      isBroken = await Promise.race([
        deadline.expired.then(() => !this.#isListening),
        ...this.#isListening ? [broken.then(() => true)] : [],
      ]);
    }
  }

  #receive(payload: string): void {
    const [sender, notice, subject = "", receivers] = payload.split(" ");
    if (notice === "work") {
      const isChosen = receivers?.split(",").includes(this.#server());
      // Who sends to nobody in particular, as a server of an older version, sends to all.
      if (isChosen !== false) this.#workers.report({ route: subject, isChosen: isChosen === true });
    }
    if (sender === this.#sender) return;
    if (notice === "job") this.report(subject);
    if (notice === "command" && subject === this.#server()) this.report();
    const isForThis = subject === this.#server() || subject === "*";
    if (notice === "message" && isForThis) this.#messages.report();
  }
}

async function subscribe(client: PgClient, schema: string): Promise<boolean> {
  try {
    await client.connect();
    await client.query(`LISTEN "${schema}"`);
    return true;
  } catch {
    return false;
  }
}

/** How many questions, and answers to its own, may wait for one server: one that hangs gets no more. */
const MOST_WAITING = { questions: 100, answers: 10_000 };
/** How long a message counts: what a server did not take by then is void. */
const VALID_SECONDS = 10;
/** Servers that are not notified look every second for questions. */
const ANSWER_MS = { listening: 1_000, deaf: 2_500 };

/**
 * Short messages between the servers, such as questions and their answers. They are rows of a table
 * without a write-ahead log, taken by whoever they are for; one may get lost, with PostgreSQL or with
 * its receiver, and is void after 10 s.
 */
export class PostgresMessages {
  readonly #database: PostgresDatabase;
  readonly #changes: PostgresChanges;
  readonly #own: () => string;
  readonly #listeners = new Listeners<string>();
  readonly #announced: Disposable;
  #taking: Promise<void> | undefined;
  #isMore = false;

  /** Takes what is for the server whose identity `own()` is. */
  constructor(database: PostgresDatabase, changes: PostgresChanges, own: () => string) {
    this.#database = database;
    this.#changes = changes;
    this.#own = own;
    this.#announced = changes.onMessage(() => this.look());
  }

  /** How long a question and its answer take at most, in milliseconds, if both servers are well. */
  get answersWithinMs(): number {
    return this.#changes.isListening ? ANSWER_MS.listening : ANSWER_MS.deaf;
  }

  /** Calls back with each message for this server, until disposed of. */
  listen(listener: (message: string) => void): Disposable {
    return this.#listeners.add(listener);
  }

  /**
   * Leaves a message for some servers; those for which 100 wait do not get it. Rejects with a
   * `JobError`.
   */
  async post(receivers: readonly string[], message: string): Promise<void> {
    const [subject = ""] = receivers.length === 1 ? receivers : ["*"];
    const [notify, ...values] = this.#changes.notify("message", subject);
    await this.#database.query(
      "WITH posted AS (INSERT INTO ~message (receiver, message) " +
        "SELECT one.id, $4 FROM unnest($3::uuid[]) AS one (id) " +
        `WHERE ${hasRoom("one.id", MOST_WAITING.questions)} ` +
        `RETURNING 1) ${notify} WHERE EXISTS (SELECT FROM posted)`,
      [...values, receivers, message],
    );
  }

  /**
   * Leaves an answer for a server that looks for it, of which nobody is notified: each notification
   * wakes all servers, and PostgreSQL commits them one after another. Rejects with a `JobError`.
   */
  async reply(receiver: string, message: string): Promise<void> {
    await this.#database.query(
      "INSERT INTO ~message (receiver, message) SELECT $1::uuid, $2 " +
        `WHERE ${hasRoom("$1::uuid", MOST_WAITING.answers)}`,
      [receiver, message],
    );
  }

  /** Removes what nobody took. */
  async forgetOld(): Promise<void> {
    await this.#database.query(
      `DELETE FROM ~message WHERE sent < now() - interval '${VALID_SECONDS} s'`,
    );
  }

  /** Takes no more messages. */
  async close(): Promise<void> {
    this.#announced[Symbol.dispose]();
    this.#isMore = false;
    await this.#taking;
  }

  /** Takes what waits for this server now. */
  look(): void {
    this.#isMore = true;
    this.#taking ??= this.#takeAll();
  }

  async #takeAll(): Promise<void> {
    while (this.#isMore) {
      this.#isMore = false;
      for (const message of await this.#take()) this.#listeners.report(message);
    }
    // At once, so that nobody comes between who thinks that this goes on.
    this.#taking = undefined;
  }

  async #take(): Promise<string[]> {
    try {
      const rows = await this.#database.query(
        "DELETE FROM ~message WHERE receiver = $1 RETURNING seq, message, " +
          `sent > now() - interval '${VALID_SECONDS} s' AS valid`,
        [this.#own()],
      );
      return rows.filter(({ valid }) => valid === true)
        .toSorted((a, b) => Number(a.seq) - Number(b.seq))
        .map(({ message }) => String(message));
    } catch {
      // Who asked learns that nobody answered.
      return [];
    }
  }
}

function hasRoom(receiver: string, most: number): string {
  return `(SELECT count(*) FROM (SELECT FROM ~message WHERE receiver = ${receiver} LIMIT ${most}) ` +
    `AS waiting) < ${most}`;
}

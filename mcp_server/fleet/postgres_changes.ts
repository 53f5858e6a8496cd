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

import { Listeners } from "../jobs/sql_store.ts";
import type { PostgresChanges } from "./postgres_changes.ts";
import type { PostgresDatabase } from "./postgres_database.ts";

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

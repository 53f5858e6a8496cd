import type { Connection } from "./connection.ts";

const IDLE_MS = 5 * 60_000;
const MOST_IDLE = 64;

interface Idle {
  readonly key: string;
  readonly connection: Connection;
  readonly timer: ReturnType<typeof setTimeout>;
  /** Stops listening for the connection's end. */
  readonly forget: () => void;
}

/**
 * Keeps unused connections for five minutes. A connection is used by one caller at a time, so that
 * a server's limit on sessions (`MaxSessions`) is never reached.
 */
export class ConnectionPool {
  /** The one that has been unused longest comes first. */
  #idle: Idle[] = [];
  #closed = false;

  /** How many connections are in the pool. */
  get size(): number {
    return this.#idle.length;
  }

  /** Takes the most recently used connection, or `undefined` if there is none. */
  take(key: string): Connection | undefined {
    const found = this.#idle.findLast((idle) => idle.key === key && idle.connection.alive);
    if (found !== undefined) this.#remove(found);
    return found?.connection;
  }

  /** Returns a connection to the pool; a dead one, or one too many, is closed. */
  give(key: string, connection: Connection): void {
    if (this.#closed || !connection.alive) return connection.close();
    connection.rest();
    const idle: Idle = {
      key,
      connection,
      timer: setTimeout(() => this.#drop(idle), IDLE_MS),
      forget: connection.onLost(() => this.#drop(idle)),
    };
    this.#idle.push(idle);
    const [oldest] = this.#idle;
    if (this.#idle.length > MOST_IDLE && oldest !== undefined) this.#drop(oldest);
  }

  /** Closes all connections, including those that are returned later. */
  close(): void {
    this.#closed = true;
    for (const idle of [...this.#idle]) this.#drop(idle);
  }

  #drop(idle: Idle): void {
    if (this.#remove(idle)) idle.connection.close();
  }

  #remove(idle: Idle): boolean {
    clearTimeout(idle.timer);
    idle.forget();
    const there = this.#idle.includes(idle);
    this.#idle = this.#idle.filter((each) => each !== idle);
    return there;
  }
}

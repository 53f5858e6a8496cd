import { within } from "../../../shared/deadline.ts";
import type { Connection } from "../connection/connection.ts";

/** The most stops at once; each keeps a connection open. */
const MOST = 64;
/** How long a server that ends waits for them. */
const CLOSE_MS = 2_000;

/**
 * Stops of commands whose host is too slow for the answer of their call: a busy host may start a
 * command seconds after the call was stopped.
 */
export class LateStops {
  readonly #running = new Map<Connection, Promise<void>>();

  /**
   * Stops a command in the background, and closes its connection afterwards. Does nothing if too
   * many stops are under way, or the connection is lost.
   */
  begin(connection: Connection, stop: () => Promise<void>): void {
    if (this.#running.size >= MOST || !connection.alive) return;
    const stopped = stop().finally(() => this.#running.delete(connection));
    this.#running.set(connection, stopped);
    connection.closeAfter(stopped);
  }

  /** Waits until all have ended, for at most 2 s, and closes the connections of the others. */
  async close(): Promise<void> {
    await within(Promise.allSettled(this.#running.values()), CLOSE_MS);
    for (const connection of this.#running.keys()) connection.closeNow();
  }
}

/** Sent messages that a client has not read yet. */
export interface Backlog {
  /** Whether what is not urgent, such as progress, is to be left out. */
  readonly isFull: boolean;
  /** Counts what is sent, in bytes or characters. */
  add(size: number): void;
}

/** What may wait for a slow client before progress is left out. */
export const MOST_WAITING = 1024 * 1024;

/** The backlog of one response, which counts what is sent and what the client reads. */
export class ResponseBacklog implements Backlog {
  #waiting = 0;

  get isFull(): boolean {
    return this.#waiting >= MOST_WAITING;
  }

  add(size: number): void {
    this.#waiting += size;
  }

  /** Counts what the client takes; it may be more than was counted before, as messages have frames. */
  take(size: number): void {
    this.#waiting = Math.max(this.#waiting - size, 0);
  }
}

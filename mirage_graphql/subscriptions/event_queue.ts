/** With more unread events than this, the reader has probably disappeared. */
const MAX_EVENTS = 10_000;

/** How a queue ends and is named. */
export interface EventQueueOptions {
  /** Called once, as soon as the queue has ended. */
  readonly onEnd?: () => void;
  /** Source of the events, for errors. */
  readonly name: string;
}

/**
 * Events that wait to be read, 10,000 at most. A reader that falls further behind receives an error
 * instead of an incomplete sequence of events.
 */
export class EventQueue<T extends object> implements AsyncIterableIterator<T, undefined> {
  readonly #options: EventQueueOptions;
  readonly #readers: ((result: IteratorResult<T, undefined>) => void)[] = [];
  #events: T[] = [];
  #failure: Error | undefined;
  #isEnded = false;

  /** Starts empty. */
  constructor(options: EventQueueOptions) {
    this.#options = options;
  }

  /** Adds an event, unless the queue has ended. */
  push(event: T): void {
    if (this.#isEnded) return;
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader({ done: false, value: event });
    if (this.#events.length < MAX_EVENTS) return void this.#events.push(event);
    this.#failure = new RangeError(
      `Cannot keep more than ${MAX_EVENTS} events of "${this.#options.name}": nobody reads them`,
    );
    this.#end();
  }

  /** The next event, once there is one. */
  next(): Promise<IteratorResult<T, undefined>> {
    const failure = this.#failure;
    if (failure !== undefined) {
      this.#failure = undefined;
      return Promise.reject(failure);
    }
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    const event = this.#events.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Ends the queue: waiting readers receive no more events. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#failure = undefined;
    this.#end();
    return this.next();
  }

  /** Ends the queue, and rejects with the error. */
  async throw(error: unknown): Promise<IteratorResult<T, undefined>> {
    await this.return();
    throw error;
  }

  /** The queue itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#events = [];
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    this.#options.onEnd?.();
  }
}

import { type BodyFormat, StreamBreak, toStreamResponse } from "./result_body.ts";
import { ResultStream } from "./result_stream.ts";

/** Content-Type of an event stream. */
export const EVENT_STREAM = "text/event-stream; charset=utf-8";

/** Clients ignore it. */
export const COMMENT = ":\n\n";

/** Writes an event; one without data has an empty field, which `EventSource` needs. */
export function toEvent(name: "next" | "complete", data?: object): string {
  return `event: ${name}\ndata:${data === undefined ? "" : ` ${JSON.stringify(data)}`}\n\n`;
}

/**
 * The results of one request as an event stream: the graphql-sse protocol, "distinct connections
 * mode".
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export const EVENTS: BodyFormat = {
  type: EVENT_STREAM,
  start: COMMENT,
  heartbeat: COMMENT,
  end: /* @__PURE__ */ toEvent("complete"),
  write: (result) => toEvent("next", result),
  fail: (message) => toEvent("next", { errors: [{ message }] }),
};

/** The event stream of one client, which has the results of all its operations. */
export class SharedStream {
  readonly #operations = new Map<string, ResultStream>();
  readonly #encoder = new TextEncoder();
  readonly #onEnd: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isOver = false;
  /** Resolves when the client may have taken something. */
  #taken: Promise<void> = Promise.resolve();
  #take = (): void => {};

  /** Reserves the stream, which calls back when it has ended. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#renew();
  }

  /** Whether it has ended, so that operations can't start. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the client has connected to it. */
  get isConnected(): boolean {
    return this.#controller !== undefined;
  }

  /** Whether an operation runs that has this id, or is about to. */
  has(id: string): boolean {
    return this.#operations.has(id);
  }

  /** Number of operations that run, or are about to. */
  get size(): number {
    return this.#operations.size;
  }

  /** The response with the stream; all operations end when the client disconnects. */
  connect(heartbeat: number, signal: AbortSignal | undefined): Response {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        this.#controller = controller;
        controller.enqueue(this.#encoder.encode(COMMENT));
      },
      pull: () => this.#renew(),
      cancel: () => this.end(),
    });
    this.#timer = setInterval(() => {
      if ((this.#controller?.desiredSize ?? 0) > 0) this.#enqueue(COMMENT);
    }, heartbeat);
    const leave = () =>
      signal?.reason instanceof StreamBreak ? this.breakOff(signal.reason) : this.end();
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted) leave();
    return toStreamResponse(body, EVENT_STREAM);
  }

  /** Reserves an id for an operation that is about to start. */
  reserve(id: string): ResultStream {
    const starting = new ResultStream({});
    this.#operations.set(id, starting);
    return starting;
  }

  /** Releases a reserved id; `false` if its operation was stopped before it started. */
  release(id: string, starting: ResultStream): boolean {
    return this.#operations.get(id) === starting && this.#operations.delete(id);
  }

  /** Passes the results of an operation on; the next one is read when the client has taken one. */
  async run(id: string, results: ResultStream): Promise<void> {
    this.#operations.set(id, results);
    try {
      for await (const payload of results) await this.#send(toEvent("next", { id, payload }));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.#send(toEvent("next", { id, payload: { errors: [{ message }] } }));
    }
    // one that was stopped is not there any more
    if (this.#operations.get(id) !== results) return;
    this.#operations.delete(id);
    await this.#send(toEvent("complete", { id }));
  }

  /** Ends an operation. */
  stop(id: string): void {
    this.#operations.get(id)?.return();
    this.#operations.delete(id);
  }

  /** Breaks the connection, which ends all operations. */
  breakOff(reason = new TypeError("Cannot send: the connection was broken, as planned")): void {
    this.#controller?.error(reason);
    this.end();
  }

  /** Ends all operations and the stream. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const id of [...this.#operations.keys()]) this.stop(id);
    this.#take();
    this.#onEnd();
    try {
      this.#controller?.close();
    } catch {
      // it is cancelled or broken
    }
  }

  async #send(event: string): Promise<void> {
    while (!this.#isOver && (this.#controller?.desiredSize ?? 0) <= 0) await this.#taken;
    if (!this.#isOver) this.#enqueue(event);
  }

  #enqueue(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #renew(): void {
    const take = this.#take;
    this.#taken = new Promise((resolve) => this.#take = resolve);
    take();
  }
}

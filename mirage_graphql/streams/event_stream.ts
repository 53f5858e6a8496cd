import { type BodyFormat, StreamBreak, streamResults } from "./result_body.ts";
import { ResultStream } from "./result_stream.ts";

/** Clients ignore it. */
const COMMENT = ":\n\n";

/** Writes an event; one without data has an empty field, which `EventSource` needs. */
function toEvent(name: "next" | "complete", data?: object): string {
  return `event: ${name}\ndata:${data === undefined ? "" : ` ${JSON.stringify(data)}`}\n\n`;
}

/**
 * The results of one request as an event stream: the graphql-sse protocol, "distinct connections
 * mode".
 *
 * @see https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export const EVENTS: BodyFormat = {
  type: "text/event-stream; charset=utf-8",
  start: COMMENT,
  heartbeat: COMMENT,
  end: /* @__PURE__ */ toEvent("complete"),
  write: (result) => toEvent("next", result),
  fail: (message) => toEvent("next", { errors: [{ message }] }),
};

/** The event stream of one client, which has the results of all its operations. */
export class SharedStream implements AsyncIterator<string, undefined> {
  readonly #operations = new Map<string, ResultStream>();
  /** Events whose operations wait until the client takes them. */
  readonly #offered: { readonly event: string; readonly onTaken: () => void }[] = [];
  readonly #onEnd: () => void;
  #onEvent: (() => void) | undefined;
  #isConnected = false;
  #isOver = false;
  #failure: StreamBreak | undefined;

  /** Reserves the stream, which calls back when it has ended. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Whether it has ended, so that operations can't start. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the client has connected to it. */
  get isConnected(): boolean {
    return this.#isConnected;
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
    this.#isConnected = true;
    signal?.addEventListener("abort", () => this.#end(), { once: true });
    if (signal?.aborted) this.#end();
    return streamResults(this, SHARED_EVENTS, { heartbeat, signal });
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
      for await (const payload of results) await this.#offer(toEvent("next", { id, payload }));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.#offer(toEvent("next", { id, payload: { errors: [{ message }] } }));
    }
    // one that was stopped is not there any more
    if (this.#operations.get(id) !== results) return;
    this.#operations.delete(id);
    await this.#offer(toEvent("complete", { id }));
  }

  /** Ends an operation. */
  stop(id: string): void {
    this.#operations.get(id)?.return();
    this.#operations.delete(id);
  }

  /** Breaks the connection, which ends all operations. */
  breakOff(): void {
    this.#failure = new StreamBreak("Cannot send: the connection was broken, as planned");
    this.#end();
  }

  /** The next event, once an operation has one. */
  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#offered.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => this.#onEvent = resolve);
    }
    if (this.#failure !== undefined) throw this.#failure;
    const first = this.#offered.shift();
    if (first === undefined || this.#isOver) return { done: true, value: undefined };
    first.onTaken();
    return { done: false, value: first.event };
  }

  /** Ends all operations and the stream. */
  return(): Promise<IteratorResult<string, undefined>> {
    this.#end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Resolves when the client has taken the event. */
  async #offer(event: string): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((onTaken) => {
      this.#offered.push({ event, onTaken });
      this.#onEvent?.();
    });
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const id of [...this.#operations.keys()]) this.stop(id);
    for (const { onTaken } of this.#offered) onTaken();
    this.#onEvent?.();
    this.#onEnd();
  }
}

/** Its events are written when operations have them, and it ends with its client. */
const SHARED_EVENTS: BodyFormat<string> = { ...EVENTS, end: "", write: (event) => event };

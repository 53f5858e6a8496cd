import type { ExecutionResult } from "graphql";
import type { PromiseOrValue } from "../request/graphql_request.ts";

/** What a subscription starts with: its results to come, or why there are none. */
export type StartedSubscription = AsyncIterator<ExecutionResult> | ExecutionResult;

const DONE: IteratorResult<ExecutionResult, undefined> = { done: true, value: undefined };

/**
 * The results of one subscription. It ends by `return()`, as `break` in a `for await` calls it, by
 * the signal, or as the source does; then it is done at once, also where the source still waits.
 */
export class ResultStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #source: PromiseOrValue<AsyncIterator<ExecutionResult>>;
  readonly #waiting = new Set<(result: IteratorResult<ExecutionResult, undefined>) => void>();
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#end();
  #isEnded = false;

  /** Takes what has been started; `signal` ends it. */
  constructor(started: PromiseOrValue<StartedSubscription>, signal?: AbortSignal) {
    this.#source = "then" in started ? started.then(toIterator) : toIterator(started);
    if ("then" in this.#source) this.#source.catch(() => {});
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort, { once: true });
    if (signal?.aborted) this.#end();
  }

  /** The next result, once there is one. */
  next(): Promise<IteratorResult<ExecutionResult, undefined>> {
    if (this.#isEnded) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      this.#waiting.add(resolve);
      this.#read().then((result) => {
        this.#waiting.delete(resolve);
        if (result.done) this.#end();
        resolve(result.done ? DONE : result);
      }, (error) => {
        this.#waiting.delete(resolve);
        this.#end();
        reject(error);
      });
    });
  }

  /** Ends the subscription and releases what it listens to. */
  return(): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.#end();
    return Promise.resolve(DONE);
  }

  /** Ends the subscription, and rejects with the error. */
  throw(error: unknown): Promise<IteratorResult<ExecutionResult, undefined>> {
    this.#end();
    return Promise.reject(error);
  }

  /** The stream itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Ends the subscription, where it was declared by `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #read(): Promise<IteratorResult<ExecutionResult>> {
    return await (await this.#source).next();
  }

  /** The source is told, but not waited for: it may be in the middle of something that never ends. */
  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#signal?.removeEventListener("abort", this.#abort);
    for (const resolve of this.#waiting) resolve(DONE);
    this.#waiting.clear();
    const close = (source: AsyncIterator<ExecutionResult>) => source.return?.();
    const closed = "then" in this.#source ? this.#source.then(close) : close(this.#source);
    closed?.catch(() => {});
  }
}

function toIterator(started: StartedSubscription): AsyncIterator<ExecutionResult> {
  return isIterator(started) ? started : only(started);
}

function isIterator(value: object): value is AsyncIterator<ExecutionResult> {
  return "next" in value && typeof value.next === "function";
}

async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield await Promise.resolve(result);
}

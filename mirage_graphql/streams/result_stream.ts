import type { ExecutionResult } from "graphql";
import type { PromiseOrValue } from "../execution/graphql_request.ts";

/** What subscribing returns: an iterator of results, or one result with the errors. */
export type StartedSubscription = AsyncIterator<ExecutionResult> | ExecutionResult;

const DONE: IteratorResult<ExecutionResult, undefined> = { done: true, value: undefined };

/**
 * The results of one subscription. It ends on `return()`, which `break` in a `for await` calls,
 * when the signal aborts, or when the source ends; it ends at once, even if the source is still
 * waiting.
 */
export class ResultStream implements AsyncIterableIterator<ExecutionResult> {
  readonly #source: PromiseOrValue<AsyncIterator<ExecutionResult>>;
  readonly #waiting = new Set<(result: IteratorResult<ExecutionResult, undefined>) => void>();
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#end();
  #isEnded = false;

  /** Stores the started subscription; `signal` ends it. */
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

  /** Ends the subscription and removes its listeners. */
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

  /** Ends the subscription at the end of a block that declares it with `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #read(): Promise<IteratorResult<ExecutionResult>> {
    return await (await this.#source).next();
  }

  /** The source is ended, but not awaited: it may be waiting for something that never ends. */
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

import type { Refusal } from "../domain/service.ts";
import { stoppedBy } from "./refusals.ts";

/**
 * A running call, which can be stopped. The signal is created only on first use, because most calls
 * end before.
 */
export class RunningCall implements Disposable {
  readonly #client: { readonly signal: AbortSignal };
  #ended: PromiseWithResolvers<void> | undefined;
  #controller: AbortController | undefined;
  #onClientGone: (() => void) | undefined;

  /** Takes whose signal stops the call. */
  constructor(client: { readonly signal: AbortSignal }) {
    this.#client = client;
  }

  /** Aborts when the call is stopped. */
  get signal(): AbortSignal {
    return (this.#controller ?? this.#listen()).signal;
  }

  /** Why the call has no answer, or `undefined` if it has not been stopped. */
  get refusal(): Refusal | undefined {
    const signal = this.#controller?.signal;
    return signal?.aborted === true ? stoppedBy(signal) : undefined;
  }

  /** Resolves when the call has ended. */
  get ended(): Promise<void> {
    return (this.#ended ??= Promise.withResolvers()).promise;
  }

  /** Stops the call. */
  stop(reason: unknown): void {
    (this.#controller ?? this.#listen()).abort(reason);
  }

  /** Forgets the client; the call has ended. */
  [Symbol.dispose](): void {
    this.#ended?.resolve();
    if (this.#onClientGone === undefined) return;
    this.#client.signal.removeEventListener("abort", this.#onClientGone);
  }

  #listen(): AbortController {
    const controller = this.#controller = new AbortController();
    const { signal } = this.#client;
    if (signal.aborted) {
      controller.abort(signal.reason);
    } else {
      this.#onClientGone = () => controller.abort(signal.reason);
      signal.addEventListener("abort", this.#onClientGone, { once: true });
    }
    return controller;
  }
}

import type { HangUpWatch } from "./hang_up_watch.ts";
import type { Connection } from "./http_server.ts";

/**
 * The client of one HTTP request, whose signal aborts when it hangs up. Nothing is spent on that
 * until somebody asks for the signal, because most requests are answered before.
 */
export class HttpClient implements Disposable {
  readonly #request: Request;
  readonly #connection: Connection;
  readonly #watch: HangUpWatch;
  #signal: AbortSignal | undefined;
  #watching: Disposable | undefined;

  /** Takes the request, its connection, and what notices that the client hangs up. */
  constructor(request: Request, connection: Connection, watch: HangUpWatch) {
    this.#request = request;
    this.#connection = connection;
    this.#watch = watch;
  }

  /** Aborts when the client hangs up. */
  get signal(): AbortSignal {
    return this.#signal ??= this.#listen();
  }

  /** Forgets the client; it has its answer. */
  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  #listen(): AbortSignal {
    const controller = new AbortController();
    const onGone = () => controller.abort(new DOMException("The client hung up", "AbortError"));
    this.#request.signal.addEventListener("abort", onGone, { once: true });
    this.#watching = this.#watch.watch(this.#connection.remoteAddr, onGone);
    return controller.signal;
  }
}

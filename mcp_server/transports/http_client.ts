import type { DisconnectWatcher, Peer } from "./disconnect_watcher.ts";
import type { RequestContext } from "./http_listener.ts";

/**
 * The client of one HTTP request, whose signal aborts when it hangs up. Nothing is spent on that
 * until somebody asks for the signal, because most requests are answered before.
 */
export class HttpClient implements Disposable {
  readonly #request: Request;
  readonly #remoteAddr: Peer;
  readonly #watch: DisconnectWatcher;
  #signal: AbortSignal | undefined;
  #watching: Disposable | undefined;

  /** Takes the request, where it came from, and what notices that the client hangs up. */
  constructor(request: Request, { remoteAddr }: RequestContext, watch: DisconnectWatcher) {
    this.#request = request;
    this.#remoteAddr = remoteAddr;
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
    this.#watching = this.#watch.watch(this.#remoteAddr, onGone);
    return controller.signal;
  }
}

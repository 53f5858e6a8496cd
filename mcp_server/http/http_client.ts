import type { DisconnectWatcher, Peer } from "./disconnect_watcher.ts";
import type { RequestContext } from "./http_listener.ts";

/**
 * The client of one HTTP request, whose signal aborts when it disconnects. The signal is created
 * only on first use, because most requests are answered before.
 */
export class HttpClient implements Disposable {
  readonly #request: Request;
  readonly #remoteAddr: Peer;
  readonly #watch: DisconnectWatcher;
  #signal: AbortSignal | undefined;
  #watching: Disposable | undefined;

  /** Takes the request, its origin, and the watcher of disconnected clients. */
  constructor(request: Request, { remoteAddr }: RequestContext, watch: DisconnectWatcher) {
    this.#request = request;
    this.#remoteAddr = remoteAddr;
    this.#watch = watch;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return this.#signal ??= this.#listen();
  }

  /** Stops watching the client, which has been answered. */
  [Symbol.dispose](): void {
    this.#watching?.[Symbol.dispose]();
  }

  #listen(): AbortSignal {
    const controller = new AbortController();
    const onGone = () =>
      controller.abort(new DOMException("The client disconnected", "AbortError"));
    this.#request.signal.addEventListener("abort", onGone, { once: true });
    this.#watching = this.#watch.watch(this.#remoteAddr, onGone);
    return controller.signal;
  }
}

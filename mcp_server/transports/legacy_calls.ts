import { firstOf } from "../domain/deadline.ts";
import type { TrackedCall } from "./mcp_server.ts";

/** Ids that a JSON-RPC request may have; 1 and "1" are two. */
type RequestId = string | number;

/**
 * The calls under way of clients of the revisions before 2026-07-28. Such a client cancels with a
 * request of its own, which finds the call by session and request id. Nothing is kept of a session
 * but its running calls, so an unknown or forgotten session id does no harm.
 */
export class LegacyCalls {
  readonly #running = new Map<string, AbortController>();

  /** How many calls are under way. */
  get size(): number {
    return this.#running.size;
  }

  /** Lets {@linkcode cancel} stop a call until it is disposed of. */
  track(sessionId: string, requestId: RequestId, signal: AbortSignal): TrackedCall {
    const key = keyOf(sessionId, requestId);
    const controller = new AbortController();
    const aborted = firstOf({ signal }, () => controller.abort(signal.reason));
    this.#running.set(key, controller);
    return {
      signal: controller.signal,
      [Symbol.dispose]: () => {
        aborted[Symbol.dispose]();
        if (this.#running.get(key) === controller) this.#running.delete(key);
      },
    };
  }

  /** Stops a call; does nothing if there is none with these ids. */
  cancel(sessionId: string, requestId: RequestId, reason: string): void {
    this.#running.get(keyOf(sessionId, requestId))?.abort(new DOMException(reason, "AbortError"));
  }
}

function keyOf(sessionId: string, requestId: RequestId): string {
  return JSON.stringify([sessionId, requestId]);
}

import { firstOf } from "../domain/deadline.ts";
import type { TrackedCall } from "./mcp_caller.ts";

/** Ids that a JSON-RPC request may have; 1 and "1" are two. */
type RequestId = string | number;

/** A session of a client. */
export interface LegacySession {
  /** Name of its caller. */
  readonly caller: string;
  /** What the client sends as its id. */
  readonly id: string;
}

/**
 * The running calls of clients that use a revision before 2026-07-28. Such a client cancels a call
 * with a separate request, which finds it by caller, session and request id. Only the running calls
 * of a session are kept, so an unknown or old session id does no harm. Clients may choose the id of
 * their session themselves; therefore it is one of its caller.
 */
export class LegacyCalls {
  readonly #running = new Map<string, AbortController>();

  /** How many calls are running. */
  get size(): number {
    return this.#running.size;
  }

  /** Lets {@linkcode cancel} stop a call until it is disposed of. */
  track(session: LegacySession, requestId: RequestId, signal: AbortSignal): TrackedCall {
    const key = keyOf(session, requestId);
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
  cancel(session: LegacySession, requestId: RequestId, reason: string): void {
    this.#running.get(keyOf(session, requestId))?.abort(new DOMException(reason, "AbortError"));
  }
}

function keyOf({ caller, id }: LegacySession, requestId: RequestId): string {
  return JSON.stringify([caller, id, requestId]);
}

/** Ids that a JSON-RPC request may have; 1 and "1" are two. */
type RequestId = string | number;

/** A call that can be stopped. */
export interface StoppableCall {
  stop(reason: unknown): void;
}

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
  readonly #running = new Map<string, StoppableCall>();

  /** How many calls are running. */
  get size(): number {
    return this.#running.size;
  }

  /** Lets {@linkcode cancel} stop a call until it is disposed of. */
  track(session: LegacySession, requestId: RequestId, call: StoppableCall): Disposable {
    const key = keyOf(session, requestId);
    this.#running.set(key, call);
    return {
      [Symbol.dispose]: () => {
        if (this.#running.get(key) === call) this.#running.delete(key);
      },
    };
  }

  /** Stops a call; does nothing if there is none with these ids. */
  cancel(session: LegacySession, requestId: RequestId, reason: string): void {
    this.#running.get(keyOf(session, requestId))?.stop(new DOMException(reason, "AbortError"));
  }
}

function keyOf({ caller, id }: LegacySession, requestId: RequestId): string {
  return JSON.stringify([caller, id, requestId]);
}

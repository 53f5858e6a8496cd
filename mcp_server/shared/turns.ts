import { untilAborted } from "./deadline.ts";

/** The end of the last work in turn for each key. */
const lastTurns = new Map<string, Promise<void>>();

/**
 * Works when all earlier work of the same key has ended; work of other keys does not wait for it.
 * Rejects with the signal's reason when it is stopped while it waits.
 */
export async function takeTurn<T>(
  key: string,
  work: () => Promise<T>,
  { signal }: { readonly signal: AbortSignal },
): Promise<T> {
  const previous = lastTurns.get(key) ?? Promise.resolve();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const turn = previous.then(() => ended);
  lastTurns.set(key, turn);
  void turn.then(() => lastTurns.get(key) === turn && lastTurns.delete(key));
  try {
    await untilAborted(previous, signal);
    return await work();
  } finally {
    end();
  }
}

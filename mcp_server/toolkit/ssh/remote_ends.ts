import type { Connection } from "./connection.ts";

/** The ends that a remote command may come to. */
export type End = "ended" | "timed out" | "aborted" | "lost";

/** Waits for the ends that do not come from the command itself. */
export function watchEnds(
  connection: Connection,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): { promise: Promise<End>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<End>();
  const onAbort = () => resolve("aborted");
  const timer = setTimeout(() => resolve("timed out"), timeoutMs);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const forget = connection.onLost(() => resolve("lost"));
  const release = () => {
    forget();
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  return { promise, release };
}

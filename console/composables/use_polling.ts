import { onScopeDispose, watch } from "vue";
import { connection } from "./use_connection.ts";

/**
 * Does something now, again after each pause while the page is visible, and at once when the server
 * is back. What rejects is tried again like everything else.
 */
export function usePolling(work: () => Promise<unknown>, pauseMs: number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  async function round(): Promise<void> {
    clearTimeout(timer);
    if (document.visibilityState === "visible") await work().catch(() => {});
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(round, pauseMs);
  }

  watch(connection.returns, () => void round());
  void round();
  onScopeDispose(() => {
    isOver = true;
    clearTimeout(timer);
  });
}

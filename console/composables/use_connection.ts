import { onScopeDispose, readonly, ref, watch } from "vue";
import { onAnswer } from "../api/instance.ts";
import { server } from "../api/server.ts";

/** How often the server is asked whether it is there. */
const PROBE_MS = { here: 5_000, away: 1_000 } as const;

const isAway = ref(false);
const returns = ref(0);
const latency = ref<number>();

/**
 * Whether the server answers; `returns` counts how often it came back, so that what is shown can be
 * loaded again.
 */
export const connection = {
  isAway: readonly(isAway),
  returns: readonly(returns),
  /** How long the server's last health check took, in milliseconds. */
  latency: readonly(latency),
};

onAnswer((answer) => {
  if (answer === "away") {
    isAway.value = true;
  } else if (isAway.value) {
    isAway.value = false;
    returns.value++;
  }
});

/** Resolves once the server answers, at once if it does, or when the signal aborts. */
export async function untilBack(signal: AbortSignal): Promise<void> {
  if (signal.aborted || !isAway.value) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = watch(isAway, () => resolve());
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  stop();
}

/** Asks the server again and again whether it is there, and at once when the page becomes visible. */
export function useConnectionProbe(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  async function probe(): Promise<void> {
    clearTimeout(timer);
    const start = performance.now();
    const answered = await server.health().then(() => true, () => false);
    latency.value = answered ? performance.now() - start : undefined;
    if (!isOver) timer = setTimeout(probe, isAway.value ? PROBE_MS.away : PROBE_MS.here);
  }
  const onVisible = () => document.visibilityState === "visible" && void probe();

  document.addEventListener("visibilitychange", onVisible);
  watch(isAway, (away) => {
    clearTimeout(timer);
    timer = setTimeout(probe, away ? PROBE_MS.away : PROBE_MS.here);
  });
  void probe();
  onScopeDispose(() => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisible);
  });
}

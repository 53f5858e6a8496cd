import { computed, type ComputedRef, ref } from "vue";
import { jobs } from "../api/jobs.ts";
import { usePolling } from "./use_polling.ts";

/** The most jobs of a state that are counted. */
const MOST = 200;
const POLL_MS = 3_000;
const STATES = ["running", "queued"] as const;

/** How many of the caller's jobs run and wait: `2 running, 1 queued`; empty until it is known. */
export function useLiveCounts(): ComputedRef<string> {
  const text = ref("");
  usePolling(async () => {
    const counts = await Promise.all(STATES.map(async (state) => {
      const { data } = await jobs.list({ state, limit: MOST });
      return `${data.jobs.length}${data.nextCursor === undefined ? "" : "+"} ${state}`;
    }));
    text.value = counts.join(", ");
  }, POLL_MS);
  return computed(() => text.value);
}

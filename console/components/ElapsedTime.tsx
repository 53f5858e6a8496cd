import { defineComponent, onScopeDispose, ref } from "vue";
import { durationText } from "./times.ts";

interface ElapsedTimeProps {
  /** When it began, in milliseconds of the same clock as `end`. */
  readonly start: number;
  /** When it ended; the time goes on without it. */
  readonly end?: number | undefined;
  /** The clock. */
  readonly now: () => number;
}

/** How long something takes, or has taken. */
export const ElapsedTime = defineComponent((props: ElapsedTimeProps) => {
  const now = ref(props.now());
  const timer = setInterval(() => now.value = props.now(), 250);
  onScopeDispose(() => clearInterval(timer));
  return () => <span class="elapsed">{durationText((props.end ?? now.value) - props.start)}</span>;
}, { props: ["start", "end", "now"], name: "ElapsedTime" });

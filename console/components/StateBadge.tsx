import type { JobState } from "@trestle/mcp-server";
import type { VNode } from "vue";

const STATES: Readonly<Record<JobState, true>> = {
  queued: true,
  running: true,
  completed: true,
  failed: true,
  cancelled: true,
  lost: true,
};

/** Every state of a job, in the order of its life. */
export const JOB_STATES = Object.keys(STATES) as readonly JobState[];

/** How a job or a call is, as a word with a color. */
export function StateBadge({ state }: { readonly state: string }): VNode {
  return <span class={["state", `state-${state}`]}>{state}</span>;
}

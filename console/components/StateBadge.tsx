import type { VNode } from "vue";

/** How a job or a call is, as a word with a color. */
export function StateBadge({ state }: { readonly state: string }): VNode {
  return <span class={["state", `state-${state}`]}>{state}</span>;
}

import type { CallEnding } from "@trestle/mcp-server";
import type { VNode } from "vue";

/** The states of what has a result, which says whether it is good. */
const COMPLETE: ReadonlySet<string> = new Set(["completed", "done"]);

interface StateBadgeProps {
  readonly state: string;
  /** How it has ended, if that is known. */
  readonly ending?: Partial<CallEnding> | undefined;
}

/** How a job or a call is, as a word with a color; if something of it failed, what that was. */
export function StateBadge({ state, ending }: StateBadgeProps): VNode {
  const failure = COMPLETE.has(state) && ending !== undefined ? failureOf(ending) : undefined;
  return (
    <span class={["state", failure === undefined ? `state-${state}` : "state-failed"]}>
      {failure ?? state}
    </span>
  );
}

/** What failed of a call that has a result; `undefined` if nothing did. */
function failureOf({ outcome, exitCode, parts }: Partial<CallEnding>): string | undefined {
  if (outcome === undefined || outcome === "ok") return undefined;
  if (parts !== undefined) return `${parts.failed} of ${parts.total} failed`;
  if (outcome === "timeout") return "timed out";
  return exitCode === undefined || exitCode === 0 ? "failed" : `exit ${exitCode}`;
}

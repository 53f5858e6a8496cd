import type { JsonObject } from "@trestle/mcp-server";
import { defineComponent } from "vue";
import { timeText } from "../components/times.ts";
import { useRecentRuns } from "../composables/use_recent_runs.ts";

interface RecentRunsProps {
  readonly tool: string;
  /** Enters the arguments of a run. */
  readonly edit: (args: JsonObject, isWhole: boolean) => void;
  /** Calls the tool with them. */
  readonly again: (args: JsonObject) => void;
}

/** The latest runs of a tool from this tab. */
export const RecentRuns = defineComponent((props: RecentRunsProps) => {
  const runs = useRecentRuns(props.tool);
  return () => {
    if (runs.value.length === 0) return null;
    return (
      <section class="recent" aria-label="Recent runs">
        <h3>Recent runs</h3>
        <ul>
          {runs.value.map(({ time, args, isWhole }, index) => (
            <li key={time}>
              <span class="size">{timeText(time)}</span>
              <code>{JSON.stringify(args)}</code>
              {isWhole && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Again, run ${index + 1}`}
                  onClick={() => props.again(args)}
                >
                  Again
                </button>
              )}
              <button
                type="button"
                class="quiet"
                aria-label={`Edit run ${index + 1}`}
                onClick={() => props.edit(args, isWhole)}
              >
                Edit
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  };
}, { props: ["tool", "edit", "again"], name: "RecentRuns" });

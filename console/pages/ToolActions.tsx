import type { JobRequest } from "@trestle/mcp-server";
import { computed, defineComponent, ref } from "vue";
import { CopyButton } from "../components/CopyButton.tsx";
import { Icon } from "../components/Icon.tsx";
import type { ToolRun } from "../composables/use_tool_run.ts";
import { useFleet } from "../composables/use_fleet.ts";
import { eventChecked, eventValue } from "../forms/event_value.ts";

interface ToolActionsProps {
  readonly run: ToolRun;
  /** Starts a job. */
  readonly startJob: (options: Pick<JobRequest, "stdin" | "tty" | "on">) => Promise<void>;
  /** Removes what was entered. */
  readonly reset: () => void;
  /** Returns the same call as a command of a shell. */
  readonly curl: () => string;
}

/** What can be done with the arguments of a tool. */
export const ToolActions = defineComponent((props: ToolActionsProps) => {
  const takesInput = ref(false);
  const hasTerminal = ref(false);
  const on = ref("");
  const { servers } = useFleet();
  /** Where a job may run, if there is a choice. */
  const places = computed(() => {
    const known = servers.value ?? [];
    const labels = new Set(known.flatMap(({ labels }) => labels));
    return known.length > 1 ? [...labels, ...known.map(({ name }) => `name:${name}`)] : [];
  });

  const startJob = () =>
    props.startJob({
      ...(hasTerminal.value ? { tty: true } : takesInput.value ? { stdin: true } : {}),
      ...(on.value === "" ? {} : { on: on.value }),
    });

  return () => {
    const isRunning = props.run.state.value === "running";
    return (
      <div class="actions">
        <button type="submit" class="primary" disabled={isRunning} title="Ctrl+Enter">
          <Icon name="play" /> Run
        </button>
        {isRunning && (
          <button type="button" class="danger" onClick={() => props.run.cancel()}>
            <Icon name="stop" /> Cancel
          </button>
        )}
        <button
          type="button"
          title="A job goes on when this page is closed"
          onClick={() => void startJob()}
        >
          <Icon name="clock" /> Run as a job
        </button>
        {places.value.length > 0 && (
          <label class="inline">
            on
            <select onChange={(event) => on.value = eventValue(event)}>
              <option value="">any server</option>
              {places.value.map((place) => (
                <option key={place} selected={place === on.value}>{place}</option>
              ))}
            </select>
          </label>
        )}
        <label class="inline">
          <input
            type="checkbox"
            checked={takesInput.value}
            onChange={(event) => takesInput.value = eventChecked(event)}
          />
          that takes input
        </label>
        <label class="inline">
          <input
            type="checkbox"
            checked={hasTerminal.value}
            onChange={(event) => hasTerminal.value = eventChecked(event)}
          />
          on a terminal
        </label>
        <button type="button" class="quiet" onClick={props.reset}>Reset</button>
        <CopyButton label="Copy as curl" text={props.curl} />
      </div>
    );
  };
}, { props: ["run", "startJob", "reset", "curl"], name: "ToolActions" });

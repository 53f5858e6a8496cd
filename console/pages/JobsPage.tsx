import { computed, type ComputedRef, defineComponent, reactive, ref, type VNode } from "vue";
import { ConfirmButton } from "../components/ConfirmButton.tsx";
import { Notice } from "../components/Notice.tsx";
import { useJobActions } from "../composables/use_job_actions.ts";
import { isLive, useJobList } from "../composables/use_job_list.ts";
import { session } from "../composables/use_session.ts";
import { eventValue } from "../forms/event_value.ts";
import { JobsTable } from "./JobsTable.tsx";
import { jobs } from "../api/jobs.ts";
import { usePolling } from "../composables/use_polling.ts";

/** What a job is, or how it has ended. */
const STATES = ["running", "queued", "ok", "failed", "timeout", "cancelled", "lost"] as const;

/** The caller's jobs, newest first: found, filtered, and ended or started again. */
export const JobsPage = defineComponent(() => {
  const chosen = reactive({ state: "", tool: "", search: "" });
  const counts = useLiveCounts();
  const actions = useJobActions();
  const selected = ref<ReadonlySet<string>>(new Set());
  const { list, hasOlder, problem, load, loadOlder } = useJobList(() => {
    const { tool } = chosen;
    const state = STATES.find((one) => one === chosen.state);
    const search = chosen.search.trim().slice(0, 200);
    return {
      ...(state === undefined
        ? {}
        : state === "running" || state === "queued"
        ? { state }
        : { outcome: state }),
      ...(tool === "" ? {} : { tool }),
      ...(search === "" ? {} : { search }),
    };
  });
  const marked = computed(() => list.value?.filter(({ id }) => selected.value.has(id)) ?? []);
  const live = computed(() => marked.value.filter(isLive));
  /** Those of the selection that have ended; all that are shown if none is selected. */
  const ended = computed(() => {
    const from = marked.value.length > 0 ? marked.value : list.value ?? [];
    return from.filter((job) => !isLive(job) && job.caller === session.me.value?.name);
  });

  function select(id: string, isSelected: boolean): void {
    const next = new Set(selected.value);
    if (isSelected) next.add(id);
    else next.delete(id);
    selected.value = next;
  }

  async function forAll(work: (ids: string[]) => Promise<void>, which: typeof live): Promise<void> {
    await work(which.value.map(({ id }) => id));
    selected.value = new Set();
    await load();
  }

  return () => {
    const fault = actions.problem.value ?? problem.value;
    return (
      <div class="page">
        <header>
          <h1>Jobs</h1>
          <span role="status">{counts.value}</span>
          <div class="filters">
            <div class="field">
              <label for="search">Find</label>
              <input
                id="search"
                type="search"
                value={chosen.search}
                onInput={(event) => chosen.search = eventValue(event)}
              />
            </div>
            <FilterChoice
              id="state"
              label="State"
              values={STATES}
              chosen={chosen.state}
              choose={(state) => chosen.state = state}
            />
            <FilterChoice
              id="tool"
              label="Tool"
              values={session.tools.value.map(({ name }) => name)}
              chosen={chosen.tool}
              choose={(tool) => chosen.tool = tool}
            />
          </div>
        </header>
        {fault !== undefined && !fault.isAway && (
          <Notice text={fault.message} code={fault.code} retry={load} />
        )}
        <div class="bulk" role="group" aria-label="Actions">
          {live.value.length > 0 && (
            <ConfirmButton
              label={`Cancel ${live.value.length} selected`}
              question="Cancel them with all their processes?"
              disabled={actions.isBusy.value}
              action={() => void forAll(actions.cancel, live)}
            />
          )}
          {ended.value.length > 0 && (
            <ConfirmButton
              label={marked.value.length > 0
                ? `Forget ${ended.value.length} selected`
                : "Clear finished"}
              question={`Forget ${ended.value.length} jobs and their output?`}
              disabled={actions.isBusy.value}
              action={() => void forAll(actions.forget, ended)}
            />
          )}
        </div>
        {list.value !== undefined && (
          <JobsTable
            list={list.value}
            selected={selected.value}
            select={select}
            again={(id) => void actions.again(id)}
          />
        )}
        {hasOlder.value && <button type="button" onClick={loadOlder}>Older jobs</button>}
      </div>
    );
  };
}, { name: "JobsPage" });

/** The most jobs of a state that are counted. */
const MOST_COUNTED = 200;
const COUNT_MS = 3_000;
const LIVE_STATES = ["running", "queued"] as const;

/** How many of the caller's jobs run and wait: `2 running, 1 queued`; empty until it is known. */
function useLiveCounts(): ComputedRef<string> {
  const text = ref("");
  usePolling(async () => {
    const counts = await Promise.all(LIVE_STATES.map(async (state) => {
      const { data } = await jobs.list({ state, limit: MOST_COUNTED });
      return `${data.jobs.length}${data.nextCursor === undefined ? "" : "+"} ${state}`;
    }));
    text.value = counts.join(", ");
  }, COUNT_MS);
  return computed(() => text.value);
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly values: readonly string[];
  /** The chosen value; empty for any. */
  readonly chosen: string;
  readonly choose: (value: string) => void;
}

/** Chooses what a list is limited to. */
function FilterChoice({ id, label, values, chosen, choose }: ChoiceProps): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} onChange={(event) => choose(eventValue(event))}>
        <option value="">any</option>
        {values.map((value) => <option key={value} selected={value === chosen}>{value}</option>)}
      </select>
    </div>
  );
}

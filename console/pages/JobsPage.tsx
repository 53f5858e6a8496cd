import { computed, defineComponent, reactive, ref } from "vue";
import { ConfirmButton } from "../components/ConfirmButton.tsx";
import { Notice } from "../components/Notice.tsx";
import { useJobActions } from "../composables/use_job_actions.ts";
import { isLive, useJobList } from "../composables/use_job_list.ts";
import { useLiveCounts } from "../composables/use_live_counts.ts";
import { session } from "../composables/use_session.ts";
import { eventValue } from "../forms/event_value.ts";
import { FilterChoice } from "./FilterChoice.tsx";
import { JobsTable } from "./JobsTable.tsx";

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

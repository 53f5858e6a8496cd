import type { Job, JobState } from "@trestle/mcp-server";
import { defineComponent, ref, shallowRef, type VNode, watch } from "vue";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { CardTable } from "../components/CardTable.tsx";
import { JOB_STATES } from "../components/job_states.ts";
import { Notice } from "../components/Notice.tsx";
import { StateBadge } from "../components/StateBadge.tsx";
import { bytesText, durationText, timeText } from "../components/times.ts";
import { usePolling } from "../composables/use_polling.ts";
import { hrefOf } from "../composables/use_route.ts";
import { session } from "../composables/use_session.ts";
import { eventValue } from "../forms/event_value.ts";

const POLL_MS = 3_000;

/** The caller's jobs, newest first. */
export const JobsPage = defineComponent(() => {
  const state = ref<JobState | "">("");
  const tool = ref("");
  const first = shallowRef<readonly Job[]>();
  const more = shallowRef<readonly Job[]>([]);
  const nextCursor = ref<string>();
  const problem = shallowRef<Problem>();

  const filter = () => ({
    ...(state.value === "" ? {} : { state: state.value }),
    ...(tool.value === "" ? {} : { tool: tool.value }),
  });

  /** Loads the newest jobs; those that were loaded after them stay as they are. */
  async function load(): Promise<void> {
    const asked = JSON.stringify(filter());
    try {
      const { data } = await jobs.list(filter());
      if (asked !== JSON.stringify(filter())) return;
      first.value = data.jobs;
      if (more.value.length === 0) nextCursor.value = data.nextCursor;
      problem.value = undefined;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }

  async function loadMore(): Promise<void> {
    if (nextCursor.value === undefined) return;
    try {
      const { data } = await jobs.list({ ...filter(), cursor: nextCursor.value });
      more.value = [...more.value, ...data.jobs];
      nextCursor.value = data.nextCursor;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }

  watch([state, tool], () => {
    first.value = undefined;
    more.value = [];
    void load();
  });
  usePolling(load, POLL_MS);

  return () => (
    <div class="page">
      <header>
        <h1>Jobs</h1>
        <div class="filters">
          <div class="field">
            <label for="state">State</label>
            <select
              id="state"
              onChange={(event) => state.value = toState(eventValue(event))}
            >
              <option value="">any</option>
              {JOB_STATES.map((one) => (
                <option key={one} selected={one === state.value}>{one}</option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="tool">Tool</label>
            <select id="tool" onChange={(event) => tool.value = eventValue(event)}>
              <option value="">any</option>
              {session.tools.value.map(({ name }) => (
                <option key={name} selected={name === tool.value}>{name}</option>
              ))}
            </select>
          </div>
        </div>
      </header>
      {problem.value !== undefined && !problem.value.isAway && (
        <Notice text={problem.value.message} code={problem.value.code} retry={load} />
      )}
      {first.value !== undefined && drawTable(joined(first.value, more.value))}
      {nextCursor.value !== undefined && (
        <button type="button" onClick={loadMore}>Older jobs</button>
      )}
    </div>
  );
}, { name: "JobsPage" });

function toState(text: string): JobState | "" {
  return JOB_STATES.find((state) => state === text) ?? "";
}

/** A job that has become older is in both parts. */
function joined(first: readonly Job[], more: readonly Job[]): readonly Job[] {
  const newest = new Set(first.map(({ id }) => id));
  return [...first, ...more.filter(({ id }) => !newest.has(id))];
}

function drawTable(list: readonly Job[]): VNode {
  if (list.length === 0) return <p class="empty">There are no such jobs.</p>;
  return (
    <CardTable columns={["Job", "State", "Created", "Took", "Output"]}>
      {list.map(drawRow)}
    </CardTable>
  );
}

function drawRow(job: Job): VNode {
  const { id, tool, state, createdAt, output } = job;
  return (
    <tr key={id}>
      <td>
        <a href={hrefOf("jobs", id)}>
          <span class="name">{tool}</span> <span class="id">{id.slice(0, 8)}</span>
        </a>
      </td>
      <td>
        <StateBadge state={state} />
      </td>
      <td>{timeText(createdAt)}</td>
      <td>{tookText(job)}</td>
      <td>{bytesText(output.stdout.end + output.stderr.end)}</td>
    </tr>
  );
}

function tookText({ startedAt, endedAt }: Job): string {
  if (startedAt === undefined) return "–";
  const end = endedAt === undefined ? Date.now() : Date.parse(endedAt);
  return durationText(end - Date.parse(startedAt));
}

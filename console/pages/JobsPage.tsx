import type { Job } from "@trestle/mcp-server";
import { defineComponent, reactive, type VNode } from "vue";
import { CardTable } from "../components/CardTable.tsx";
import { Notice } from "../components/Notice.tsx";
import { JOB_STATES, StateBadge } from "../components/StateBadge.tsx";
import { bytesText, durationText, timeText } from "../components/times.ts";
import { useJobList } from "../composables/use_job_list.ts";
import { hrefOf } from "../composables/use_route.ts";
import { session } from "../composables/use_session.ts";
import { FilterChoice } from "./FilterChoice.tsx";

/** The caller's jobs, newest first. */
export const JobsPage = defineComponent(() => {
  const chosen = reactive({ state: "", tool: "" });
  const { list, hasOlder, problem, load, loadOlder } = useJobList(() => {
    const state = JOB_STATES.find((one) => one === chosen.state);
    return {
      ...(state === undefined ? {} : { state }),
      ...(chosen.tool === "" ? {} : { tool: chosen.tool }),
    };
  });

  return () => (
    <div class="page">
      <header>
        <h1>Jobs</h1>
        <div class="filters">
          <FilterChoice
            id="state"
            label="State"
            values={JOB_STATES}
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
      {problem.value !== undefined && !problem.value.isAway && (
        <Notice text={problem.value.message} code={problem.value.code} retry={load} />
      )}
      {list.value !== undefined && drawTable(list.value)}
      {hasOlder.value && <button type="button" onClick={loadOlder}>Older jobs</button>}
    </div>
  );
}, { name: "JobsPage" });

function drawTable(list: readonly Job[]): VNode {
  if (list.length === 0) return <p class="empty">There are no such jobs.</p>;
  return (
    <CardTable columns={["Job", "State", "Created", "Took", "Output"]}>
      {list.map(drawRow)}
    </CardTable>
  );
}

function drawRow(job: Job): VNode {
  const { id, tool, title = tool, state, createdAt, output } = job;
  return (
    <tr key={id}>
      <td>
        <a href={hrefOf("jobs", id)}>
          <span class="name">{title}</span> <span class="id">{id.slice(0, 8)}</span>
        </a>
      </td>
      <td>
        <StateBadge state={state} ending={job} />
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

import type { Job } from "@trestle/mcp-server";
import type { VNode } from "vue";
import { CardTable } from "../components/CardTable.tsx";
import { StateBadge } from "../components/StateBadge.tsx";
import { durationText, timeText } from "../components/times.ts";
import { isLive } from "../composables/use_job_list.ts";
import { hrefOf } from "../composables/use_route.ts";
import { eventChecked } from "../forms/event_value.ts";

interface JobsTableProps {
  readonly list: readonly Job[];
  /** Ids of the selected jobs. */
  readonly selected?: ReadonlySet<string>;
  /** Selects a job, or no longer; without it, none can be selected. */
  readonly select?: (id: string, isSelected: boolean) => void;
  /** Starts a job again; without it, none can be. */
  readonly again?: (id: string) => void;
}

/** Jobs with how each is, who started it and where it runs. */
export function JobsTable(props: JobsTableProps): VNode {
  const { list, again } = props;
  if (list.length === 0) return <p class="empty">There are no such jobs.</p>;
  const hasServers = list.some(({ server }) => server !== undefined);
  const columns = [
    ...["Job", "Outcome", "Caller"],
    ...(hasServers ? ["Server"] : []),
    ...["Took", "Created"],
    ...(again === undefined ? [] : ["Again"]),
  ];
  return (
    <CardTable columns={columns}>{list.map((job) => drawRow(job, hasServers, props))}</CardTable>
  );
}

function drawRow(job: Job, hasServers: boolean, props: JobsTableProps): VNode {
  const { id, tool, title = tool, state, caller, server, createdAt } = job;
  const { select, selected, again } = props;
  return (
    <tr key={id}>
      <td class="main">
        {select !== undefined && (
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            checked={selected?.has(id) ?? false}
            onChange={(event) => select(id, eventChecked(event))}
          />
        )}
        <a href={hrefOf("jobs", id)}>
          <span class="name">{title}</span> <span class="id">{id.slice(0, 8)}</span>
        </a>
      </td>
      <td>
        <StateBadge state={state} ending={job} />
      </td>
      <td>{caller}</td>
      {hasServers && <td>{server ?? "–"}</td>}
      <td>{tookText(job)}</td>
      <td>{timeText(createdAt)}</td>
      {again !== undefined && (
        <td>
          {isLive(job) ? undefined : (
            <button
              type="button"
              class="quiet"
              aria-label={`Run ${title} again`}
              onClick={() => again(id)}
            >
              Again
            </button>
          )}
        </td>
      )}
    </tr>
  );
}

function tookText({ startedAt, endedAt }: Job): string {
  if (startedAt === undefined) return "–";
  const end = endedAt === undefined ? Date.now() : Date.parse(endedAt);
  return durationText(end - Date.parse(startedAt));
}

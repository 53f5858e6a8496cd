import type { Job } from "@trestle/mcp-server";
import { defineComponent, shallowRef, type VNode } from "vue";
import { type JobFilter, jobs } from "../api/jobs.ts";
import { useFleet } from "../composables/use_fleet.ts";
import { usePolling } from "../composables/use_polling.ts";
import { hrefOf } from "../composables/use_route.ts";
import { FigureCharts } from "../metrics/FigureCharts.tsx";
import { useFigures } from "../metrics/use_figures.ts";
import { JobsTable } from "./JobsTable.tsx";
import { CopyButton } from "../components/CopyButton.tsx";

const POLL_MS = 5_000;

/** The lists of jobs, and what says that one is empty. */
const LISTS: readonly (readonly [title: string, filter: JobFilter, empty: string])[] = [
  ["Running", { state: "running", limit: 5 }, "No job runs."],
  ["Failed last", { outcome: "failed", limit: 5 }, "No job has failed."],
  ["Recent jobs", { limit: 8 }, "There are no jobs yet."],
];

/** What runs, what has failed, and how the servers are together, at a glance. */
export const OverviewPage = defineComponent(() => {
  const fleet = useFleet();
  const figures = useFigures(() => "*");
  const lists = shallowRef<readonly (readonly Job[])[]>();

  usePolling(async () => {
    const pages = await Promise.all(LISTS.map(([, filter]) => jobs.list(filter)));
    lists.value = pages.map(({ data }) => data.jobs);
  }, POLL_MS);
  usePolling(fleet.load, POLL_MS);

  return () => (
    <div class="page">
      <header>
        <h1>Overview</h1>
      </header>
      {typeof figures.value === "object" && <FigureCharts figures={figures.value} range="hour" />}
      {lists.value?.map((list, at) => drawList(list, at))}
      {(fleet.servers.value?.length ?? 0) > 1 && (
        <section aria-label="Servers">
          <h2>Servers</h2>
          <ul class="servers">
            {fleet.servers.value?.map(({ name, state, load }) => (
              <li key={name}>
                <a href={hrefOf("servers")}>{name}</a> <span class="tag">{state}</span> {load.runs}
                {" "}
                running, {load.queue} waiting
              </li>
            ))}
          </ul>
        </section>
      )}
      <ConnectClient />
    </div>
  );
}, { name: "OverviewPage" });

function drawList(list: readonly Job[], at: number): VNode {
  const [title = "", , empty = ""] = LISTS[at] ?? [];
  return (
    <section key={title} aria-label={title}>
      <h2>{title}</h2>
      {list.length === 0 ? <p class="empty">{empty}</p> : <JobsTable list={list} />}
    </section>
  );
}

/** How clients connect to the server that the page comes from; the token is left to their user. */
function ConnectClient(): VNode {
  const url = `${location.origin}/mcp`;
  const headers = { Authorization: "Bearer ${MCP_TOKEN}" };
  const blocks: readonly (readonly [client: string, text: string])[] = [
    ["Any MCP client", url],
    [
      "Claude Code",
      `claude mcp add --transport http trestle ${url} --header "Authorization: Bearer $MCP_TOKEN"`,
    ],
    [
      "A configuration file",
      JSON.stringify({ mcpServers: { trestle: { type: "http", url, headers } } }, null, 2),
    ],
    [
      "curl",
      `curl -s ${location.origin}/api/tools -H "Authorization: Bearer $MCP_TOKEN"`,
    ],
  ];
  return (
    <section aria-label="Connect your client">
      <h2>Connect your client</h2>
      {blocks.map(([client, text]) => (
        <div class="result" key={client}>
          <header>
            <h3>{client}</h3>
            <CopyButton label={`Copy for ${client}`} text={() => text} />
          </header>
          <pre tabindex={0}>{text}</pre>
        </div>
      ))}
    </section>
  );
}

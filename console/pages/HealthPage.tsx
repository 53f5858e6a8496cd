import type { FleetHealth, ServerHealth, ToolFigures } from "@trestle/mcp-server";
import { defineComponent, ref, shallowRef, type VNode } from "vue";
import { calls } from "../api/calls.ts";
import { server } from "../api/server.ts";
import { CardTable } from "../components/CardTable.tsx";
import { bytesText, durationText, timeText } from "../components/times.ts";
import { connection } from "../composables/use_connection.ts";
import { usePolling } from "../composables/use_polling.ts";
import { hrefOf } from "../composables/use_route.ts";
import { eventValue } from "../forms/event_value.ts";
import { FigureCharts } from "../metrics/FigureCharts.tsx";
import { LineChart } from "../metrics/LineChart.tsx";
import { sortTools, toolFigures, type ToolOrder } from "../metrics/tool_figures.ts";
import { useFigures } from "../metrics/use_figures.ts";
import { CHART_SIZE, type ChartName, useMetrics } from "../metrics/use_metrics.ts";

const perSecond = (value: number) => `${value.toFixed(1)}/s`;
const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const whole = (value: number) => String(Math.round(value));

interface Chart {
  readonly name: ChartName;
  readonly label: string;
  readonly toText: (value: number) => string;
  /** From which value on something may be wrong. */
  readonly threshold?: number;
}

const PROBE: Chart = {
  name: "latency",
  label: "Health check",
  toText: milliseconds,
  threshold: 1_000,
};
const CHARTS: readonly Chart[] = [
  { name: "calls", label: "Calls", toText: perSecond },
  { name: "failures", label: "Calls that failed", toText: perSecond },
  { name: "runs", label: "Commands running", toText: whole },
  { name: "queue", label: "Commands waiting", toText: whole, threshold: 10 },
  { name: "jobs", label: "Jobs running", toText: whole },
  { name: "lag", label: "Event loop lag", toText: milliseconds, threshold: 100 },
  { name: "memory", label: "Memory", toText: bytesText },
];

const RANGES = ["5 minutes", "hour", "day"] as const;
const POLL_MS = 5_000;

/** Whether the servers answer, what they did, and which tools are slow or fail. */
export const HealthPage = defineComponent(() => {
  const health = shallowRef<FleetHealth>();
  const range = ref<(typeof RANGES)[number]>("5 minutes");
  /** The server that is shown: all for `*`, that which answers if it is empty. */
  const chosen = ref("*");
  const isFleet = () =>
    (health.value?.servers.length ?? 0) + (health.value?.unreachable.length ?? 0) > 1;
  // One that is alone answers also while it can't reach the place where jobs are kept.
  const shown = () => !isFleet() || chosen.value === "" ? undefined : chosen.value;
  const figures = useFigures(shown);
  usePolling(async () => health.value = (await server.fleetHealth()).data, POLL_MS);

  function drawFigures(name: "hour" | "day"): VNode | undefined {
    const { value } = figures;
    if (value === "hidden") return <p class="empty">This server shows no figures to you.</p>;
    return value && (
      <>
        <FigureCharts figures={value} range={name} hasAxes />
        {value.unreachable.length > 0 && (
          <p class="empty">Without {value.unreachable.join(", ")}: no answer.</p>
        )}
      </>
    );
  }

  return () => (
    <div class="page">
      <header>
        <h1>Health</h1>
        <span
          role="status"
          class={["state", connection.isAway.value ? "state-failed" : "state-completed"]}
        >
          {connection.isAway.value ? "away" : "healthy"}
        </span>
      </header>
      {health.value !== undefined && <ServerTable health={health.value} />}
      <div class="tabs" role="group" aria-label="Time">
        {RANGES.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={name === range.value}
            onClick={() => range.value = name}
          >
            {name}
          </button>
        ))}
        {isFleet() && (
          <label class="inline">
            of
            <select onChange={(event) => chosen.value = eventValue(event)}>
              <option value="*">all servers</option>
              <option value="" selected={chosen.value === ""}>the server that answers</option>
              {health.value?.servers.map(({ server: name }) => (
                <option key={name} selected={name === chosen.value}>{name}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      {range.value === "5 minutes" ? <LiveCharts server={shown()} /> : drawFigures(range.value)}
      {figures.value === "hidden"
        ? <OwnToolTable />
        : figures.value !== undefined && (
          <ToolTable tools={figures.value[range.value === "day" ? "day" : "hour"].tools} />
        )}
    </div>
  );
}, { name: "HealthPage" });

/** The metrics of a server for the last minutes, as they come. */
const LiveCharts = defineComponent((props: { readonly server: string | undefined }) => {
  const { state, charts } = useMetrics(() => props.server);
  const draw = ({ name, label, toText, threshold }: Chart) => (
    <LineChart
      key={name}
      label={label}
      values={charts.value[name]}
      size={CHART_SIZE}
      toText={toText}
      threshold={threshold}
      axis={["5 min ago", "now"]}
    />
  );
  return () => (
    <>
      <div class="charts">
        {draw(PROBE)}
        {state.value === "shown" && CHARTS.map(draw)}
      </div>
      {state.value === "hidden" && <p class="empty">This server shows no metrics to you.</p>}
    </>
  );
}, { props: ["server"], name: "LiveCharts" });

const SERVER_COLUMNS = [
  "Server",
  "State",
  "Up since",
  "Calls",
  "Commands",
  "Waiting",
  "Jobs",
  "Memory",
];

function ServerTable({ health }: { readonly health: FleetHealth }): VNode {
  return (
    <section aria-label="Servers">
      <CardTable columns={SERVER_COLUMNS}>
        {health.servers.map(drawServer)}
        {health.unreachable.map((name) => (
          <tr key={name}>
            <td class="name">{name}</td>
            <td colspan={7}>
              <span class="state state-failed">does not answer</span>
            </td>
          </tr>
        ))}
      </CardTable>
    </section>
  );
}

function drawServer(health: ServerHealth): VNode {
  const { server: name, state, version, startedAt, jobs } = health;
  return (
    <tr key={name}>
      <td class="name" title={`Trestle ${version}`}>{name}</td>
      <td>{state}</td>
      <td data-label="up since">{timeText(startedAt)}</td>
      <td data-label="calls">{health.calls}</td>
      <td data-label="commands">{health.runs}</td>
      <td data-label="waiting">{health.queue}</td>
      <td>{jobs.running} running, {jobs.queued} queued</td>
      <td>{bytesText(health.memoryBytes)}</td>
    </tr>
  );
}

const TOOL_COLUMNS = ["Tool", "Calls", "Failed", "Half within", "95 % within", "Longest"];

/** The tools that a caller without figures has called, of its own calls that are remembered. */
const OwnToolTable = defineComponent(() => {
  const tools = shallowRef<readonly ToolFigures[]>([]);
  usePolling(async () => {
    tools.value = toolFigures((await calls.history()).data.calls);
  }, POLL_MS);
  return () => <ToolTable tools={tools.value} />;
}, { name: "OwnToolTable" });

/** Which tools are slow, and which fail. */
const ToolTable = defineComponent((props: { readonly tools: readonly ToolFigures[] }) => {
  const order = ref<ToolOrder>("latency");

  return () => (
    <section aria-label="Tools">
      <header class="part-head">
        <h2>Tools</h2>
        <div class="tabs" role="group" aria-label="Order">
          {(["latency", "failures"] as const).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={name === order.value}
              onClick={() => order.value = name}
            >
              by {name}
            </button>
          ))}
        </div>
      </header>
      {props.tools.length === 0
        ? <p class="empty">No call has ended yet.</p>
        : (
          <CardTable columns={TOOL_COLUMNS}>
            {sortTools(props.tools, order.value).map(drawTool)}
          </CardTable>
        )}
    </section>
  );
}, { props: ["tools"], name: "ToolTable" });

function drawTool({ tool, calls, failures, failure, p50Ms, p95Ms, longest }: ToolFigures): VNode {
  const { job, server: name, startedAt, durationMs } = longest;
  const text = `${durationText(durationMs)}, ${timeText(startedAt)}`;
  return (
    <tr key={tool}>
      <td class="name">{tool}</td>
      <td data-label="calls">{calls}</td>
      <td data-label="failed">{failures === 0 ? "0" : `${failures} (${failure})`}</td>
      <td data-label="half within">{durationText(p50Ms)}</td>
      <td data-label="95 % within">{durationText(p95Ms)}</td>
      <td data-label="longest">
        {job === undefined ? text : <a href={hrefOf("jobs", job)}>{text}</a>}
        {name !== undefined && ` on ${name}`}
      </td>
    </tr>
  );
}

import { defineComponent } from "vue";
import { bytesText } from "../components/times.ts";
import { connection } from "../composables/use_connection.ts";
import { LineChart } from "../metrics/LineChart.tsx";
import { CHART_SIZE, type ChartName, useMetrics } from "../metrics/use_metrics.ts";

const perSecond = (value: number) => `${value.toFixed(1)}/s`;
const milliseconds = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const whole = (value: number) => String(Math.round(value));

const CHARTS: readonly (readonly [ChartName, string, (value: number) => string])[] = [
  ["calls", "Calls", perSecond],
  ["failures", "Calls that failed", perSecond],
  ["runs", "Commands running", whole],
  ["queue", "Commands waiting", whole],
  ["jobs", "Jobs running", whole],
  ["lag", "Event loop lag", milliseconds],
  ["memory", "Memory", bytesText],
];

/** Whether the server answers, and what it does, at a glance. */
export const HealthPage = defineComponent(() => {
  const { state, charts } = useMetrics();
  const drawChart = (name: ChartName, label: string, toText: (value: number) => string) => (
    <LineChart
      key={name}
      label={label}
      values={charts.value[name]}
      size={CHART_SIZE}
      toText={toText}
    />
  );

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
      <div class="charts">
        {drawChart("latency", "Health check", milliseconds)}
        {state.value === "shown" &&
          CHARTS.map(([name, label, toText]) => drawChart(name, label, toText))}
      </div>
      {state.value === "hidden" && <p class="empty">This server shows no metrics to you.</p>}
    </div>
  );
}, { name: "HealthPage" });

import type { FigureSample, ServerFigures } from "@trestle/mcp-server";
import { defineComponent, shallowRef, type VNode } from "vue";
import { server } from "../api/server.ts";
import { bytesText, timeText } from "../components/times.ts";
import { usePolling } from "../composables/use_polling.ts";
import { LineChart, type Series } from "./LineChart.tsx";

interface FigureChartsProps {
  /** How far back. */
  readonly range: "hour" | "day";
  /** Whether the charts have axes. @default {false} */
  readonly hasAxes?: boolean;
}

/** How many values a chart has at most. */
const SIZES = { hour: 240, day: 288 };
const POLL_MS = 15_000;
/** From how many of a hundred calls that failed on something may be wrong, and how much may wait. */
const HIGH = { failures: 5, queue: 10 };

/** What the server did for an hour or a day; nothing for a caller that may not see it. */
export const FigureCharts = defineComponent((props: FigureChartsProps) => {
  const figures = shallowRef<Readonly<Record<FigureChartsProps["range"], ServerFigures>>>();
  usePolling(async () => {
    figures.value = await server.figures().then(({ data }) => data, () => undefined);
  }, POLL_MS);

  return () => {
    const shown = figures.value?.[props.range];
    return shown && <div class="charts">{drawCharts(shown, props)}</div>;
  };
}, { props: ["range", "hasAxes"], name: "FigureCharts" });

function drawCharts({ everySeconds, samples }: ServerFigures, props: FigureChartsProps): VNode[] {
  const { range, hasAxes = false } = props;
  const perMinute = 60 / everySeconds;
  const chart = (
    label: string,
    of: (sample: FigureSample) => number,
    toText: (value: number) => string,
    threshold?: number,
  ) => {
    const values: Series = samples.map(of);
    const timeOf = (index: number) => timeText(samples[index]?.at ?? "");
    return (
      <LineChart
        key={label}
        label={label}
        values={values}
        size={SIZES[range]}
        toText={toText}
        threshold={threshold}
        axis={hasAxes ? [`1 ${range} ago`, "now"] : undefined}
        timeOf={hasAxes ? timeOf : undefined}
      />
    );
  };
  const rate = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)}/min`;
  const whole = (value: number) => String(Math.round(value));
  const charts = [
    chart("Calls", ({ calls }) => calls * perMinute, rate),
    hasAxes
      ? chart("Calls that failed", failedShare, (value) => `${whole(value)} %`, HIGH.failures)
      : chart("Calls that failed", ({ failures }) => failures * perMinute, rate),
    chart("Commands running", ({ runs }) => runs, whole),
    ...(hasAxes ? [chart("Waiting", ({ queue }) => queue, whole, HIGH.queue)] : []),
    chart("Memory", ({ memoryBytes }) => memoryBytes, bytesText),
  ];
  return charts;
}

function failedShare({ calls, failures }: FigureSample): number {
  return calls === 0 ? 0 : 100 * failures / calls;
}

import type { Figures, FigureSample, ServerFigures } from "@trestle/mcp-server";
import type { VNode } from "vue";
import { bytesText, timeText } from "../components/times.ts";
import { LineChart, type Series } from "./LineChart.tsx";

interface FigureChartsProps {
  readonly figures: Figures;
  /** How far back. */
  readonly range: keyof Figures;
  /** Whether the charts have axes. @default {false} */
  readonly hasAxes?: boolean;
}

/** How many values a chart has at most. */
const SIZES = { hour: 240, day: 288 };
/** From how many of a hundred calls that failed on something may be wrong, and how much may wait. */
const HIGH = { failures: 5, queue: 10 };

/** What servers did for an hour or a day. */
export function FigureCharts(props: FigureChartsProps): VNode {
  return <div class="charts">{drawCharts(props.figures[props.range], props)}</div>;
}

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

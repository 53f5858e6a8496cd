import type { VNode } from "vue";

/** A value over time; `undefined` where it is not known. */
export type Series = readonly (number | undefined)[];

interface LineChartProps {
  /** What is shown. */
  readonly label: string;
  /** The values, oldest first. */
  readonly values: Series;
  /** How many values the chart has room for. */
  readonly size: number;
  /** Writes a value for people. */
  readonly toText: (value: number) => string;
  /** From which value on something may be wrong. */
  readonly threshold?: number | undefined;
  /** What is written below the beginning and the end of the chart. */
  readonly axis?: readonly [from: string, to: string] | undefined;
  /** When the value at an index was, for people. */
  readonly timeOf?: ((index: number) => string) | undefined;
}

const WIDTH = 240;
const HEIGHT = 48;

/** A small chart of the latest values, with the last one as a number, and the most as another. */
export function LineChart(props: LineChartProps): VNode {
  const { label, values, size, toText, threshold, axis, timeOf } = props;
  const last = values.at(-1);
  const known = values.filter((value) => value !== undefined);
  const peak = Math.max(...known, 0);
  // The line of a threshold that is far away would press all values to the bottom.
  const most = threshold !== undefined && threshold <= 2 * peak ? Math.max(peak, threshold) : peak;
  const isOver = (value: number | undefined) =>
    threshold !== undefined && (value ?? 0) >= threshold;
  return (
    <figure class={["chart", { over: isOver(last) }]}>
      <figcaption>{label}</figcaption>
      <strong>{last === undefined ? "–" : toText(last)}</strong>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {threshold !== undefined && most >= threshold && (
          <path class="threshold" d={`M0 ${heightOf(threshold, most)}H${WIDTH}`} />
        )}
        <path d={pathOf(values, size, most)} />
      </svg>
      {axis !== undefined && (
        <span class="axis">
          {axis.map((text) => <span key={text}>{text}</span>)}
        </span>
      )}
      <span class={["most", { over: isOver(peak) }]}>
        max {toText(peak)}
        {timeOf !== undefined && peak > 0 && ` at ${timeOf(values.indexOf(peak))}`}
        {threshold !== undefined && `, high from ${toText(threshold)}`}
      </span>
    </figure>
  );
}

function heightOf(value: number, most: number): string {
  return (HEIGHT - 2 - (most === 0 ? 0 : value / most) * (HEIGHT - 4)).toFixed(1);
}

/** The line through the values, right-aligned; it is broken where a value is not known. */
export function pathOf(values: Series, size: number, most: number): string {
  const step = WIDTH / Math.max(size - 1, 1);
  const first = size - values.length;
  return values.map((value, index) => {
    if (value === undefined) return "";
    const x = ((first + index) * step).toFixed(1);
    return `${values[index - 1] === undefined ? "M" : "L"}${x} ${heightOf(value, most)}`;
  }).join("");
}

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
}

const WIDTH = 240;
const HEIGHT = 48;

/** A small chart of the latest values, with the last one as a number. */
export function LineChart({ label, values, size, toText }: LineChartProps): VNode {
  const last = values.at(-1);
  const known = values.filter((value) => value !== undefined);
  const most = Math.max(...known, 0);
  return (
    <figure class="chart">
      <figcaption>{label}</figcaption>
      <strong>{last === undefined ? "–" : toText(last)}</strong>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={pathOf(values, size, most)} />
      </svg>
      <span class="most">max {toText(most)}</span>
    </figure>
  );
}

/** The line through the values, right-aligned; it is broken where a value is not known. */
export function pathOf(values: Series, size: number, most: number): string {
  const step = WIDTH / Math.max(size - 1, 1);
  const first = size - values.length;
  return values.map((value, index) => {
    if (value === undefined) return "";
    const x = ((first + index) * step).toFixed(1);
    const y = (HEIGHT - 2 - (most === 0 ? 0 : value / most) * (HEIGHT - 4)).toFixed(1);
    return `${values[index - 1] === undefined ? "M" : "L"}${x} ${y}`;
  }).join("");
}

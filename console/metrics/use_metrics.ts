import { type Ref, ref, type ShallowRef, shallowRef, watch } from "vue";
import { Problem } from "../api/problem.ts";
import { server } from "../api/server.ts";
import { connection } from "../composables/use_connection.ts";
import { usePolling } from "../composables/use_polling.ts";
import type { Series } from "./LineChart.tsx";
import { parseMetrics, type Sample, sumOf } from "./prometheus.ts";

/** What the charts show, by name. */
export type Charts = Readonly<Record<ChartName, Series>>;

/** The name of a chart. */
export type ChartName =
  | "latency"
  | "calls"
  | "failures"
  | "runs"
  | "queue"
  | "jobs"
  | "lag"
  | "memory";

/** `hidden`: the server has no metrics for this caller. */
export type MetricsState = "loading" | "shown" | "hidden";

/** The server's numbers over the last minutes. */
export interface Metrics {
  readonly state: Readonly<Ref<MetricsState>>;
  readonly charts: Readonly<ShallowRef<Charts>>;
}

/** How many values a chart has: five minutes. */
export const CHART_SIZE = 60;
const POLL_MS = 5_000;

const NOTHING: Charts = Object.freeze({
  latency: [],
  calls: [],
  failures: [],
  runs: [],
  queue: [],
  jobs: [],
  lag: [],
  memory: [],
});

/** Counters as they were, and when. */
interface Counted {
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
}

/**
 * Reads the metrics of a server again and again while the page is shown: of all, added up, for `*`, and
 * of the one that answers if none is named.
 */
export function useMetrics(name: () => string | undefined): Metrics {
  const state = ref<MetricsState>("loading");
  const charts = shallowRef<Charts>(NOTHING);
  let before: Counted | undefined;

  function push(values: Partial<Record<ChartName, number | undefined>>): void {
    const entries = Object.entries(charts.value).map(([name, series]): [string, Series] => [
      name,
      [...series, values[name as ChartName]].slice(-CHART_SIZE),
    ]);
    charts.value = { ...NOTHING, ...Object.fromEntries(entries) };
  }

  async function read(): Promise<void> {
    const latency = connection.latency.value;
    const asked = name();
    const samples = await readSamples(asked);
    if (asked !== name()) return;
    state.value = samples === undefined ? "hidden" : "shown";
    if (samples === undefined) return push({ latency });
    const now = countedIn(samples);
    push({ latency, ...gaugesIn(samples), ...ratesBetween(before, now) });
    before = now;
  }
  usePolling(read, POLL_MS);

  watch(name, () => {
    charts.value = NOTHING;
    before = undefined;
    void read().catch(() => {});
  });
  return { state, charts };
}

/** The samples; `undefined` if the server does not have or show metrics. */
async function readSamples(name: string | undefined): Promise<readonly Sample[] | undefined> {
  try {
    return parseMetrics((await server.metrics(name)).data);
  } catch (error) {
    if (error instanceof Problem && !error.isAway) return undefined;
    throw error;
  }
}

function countedIn(samples: readonly Sample[]): Counted {
  const calls = sumOf(samples, "trestle_calls_total") ?? 0;
  const ok = sumOf(samples, "trestle_calls_total", { outcome: "ok" }) ?? 0;
  return { at: performance.now(), calls, failures: calls - ok };
}

function gaugesIn(samples: readonly Sample[]): Partial<Record<ChartName, number | undefined>> {
  const lags = samples.filter(({ name }) => name === "trestle_event_loop_lag_seconds");
  return {
    runs: sumOf(samples, "trestle_runs"),
    queue: sumOf(samples, "trestle_queue"),
    jobs: sumOf(samples, "trestle_jobs", { state: "running" }),
    lag: lags.length === 0 ? undefined : 1_000 * Math.max(...lags.map(({ value }) => value)),
    memory: sumOf(samples, "process_resident_memory_bytes"),
  };
}

/** How much was counted a second; a server that was started again counts from 0. */
function ratesBetween(
  before: Counted | undefined,
  now: Counted,
): Partial<Record<ChartName, number>> {
  if (before === undefined || now.calls < before.calls) return {};
  const seconds = (now.at - before.at) / 1_000;
  if (seconds <= 0) return {};
  return {
    calls: (now.calls - before.calls) / seconds,
    failures: Math.max(0, now.failures - before.failures) / seconds,
  };
}

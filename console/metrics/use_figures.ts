import type { FigureSample, ServerFigures } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef } from "vue";
import { server } from "../api/server.ts";
import { usePolling } from "../composables/use_polling.ts";
import type { Series } from "./LineChart.tsx";

/** Four numbers of the last hour, each with its course. */
interface HourFigures {
  /** Calls a minute. */
  readonly calls: Series;
  /** Calls a minute that failed. */
  readonly failures: Series;
  /** Commands that run. */
  readonly runs: Series;
  /** Resident memory of the server, in bytes. */
  readonly memory: Series;
}

/** How many values a chart of an hour has. */
export const HOUR_SIZE = 240;
const POLL_MS = 15_000;

/** Loads the figures of the last hour again and again; `undefined` for a caller that may not see them. */
export function useFigures(): Readonly<ShallowRef<HourFigures | undefined>> {
  const figures = shallowRef<HourFigures>();
  usePolling(async () => {
    figures.value = await server.figures().then(
      ({ data }) => toHour(data.hour),
      () => undefined,
    );
  }, POLL_MS);
  return figures;
}

function toHour({ everySeconds, samples }: ServerFigures): HourFigures {
  const of = (key: keyof FigureSample, factor = 1) =>
    samples.map((sample) => factor * Number(sample[key]));
  const perMinute = 60 / everySeconds;
  return {
    calls: of("calls", perMinute),
    failures: of("failures", perMinute),
    runs: of("runs"),
    memory: of("memoryBytes"),
  };
}

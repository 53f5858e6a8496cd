import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is read when the figures are requested. */
export interface Readings {
  /** Commands that run, and those that wait for a permit. */
  readonly load: () => { readonly runs: number; readonly queue: number };
  /** Jobs of this server that wait for a permit, and jobs that run. */
  readonly jobs: () => { readonly queued: number; readonly running: number };
  /** The longest delay of a timer since the last request, in seconds. */
  readonly takeLag: () => number;
}

/** Upper bounds of times in seconds: from a call that only looks something up to a long command. */
const CALL_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600];
const WAIT_SECONDS = [0.01, 0.1, 1, 10, 60, 600, 3_600];
const STORE_SECONDS = [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5];

/** The series that calls and jobs are counted in. */
export interface Series {
  readonly registry: Registry;
  readonly calls: Counter<"tool" | "transport" | "outcome">;
  readonly callSeconds: Histogram<"tool">;
  readonly commands: Counter<"tool" | "end">;
  readonly refused: Counter<"reason">;
  readonly stops: Counter;
  readonly survivors: Counter;
  readonly reloads: Counter<"outcome">;
  readonly jobsEnded: Counter<"state">;
  readonly jobWait: Histogram;
  readonly output: Counter;
  readonly dropped: Counter;
  readonly storeSeconds: Histogram<"operation">;
  readonly storeErrors: Counter<"operation">;
}

/**
 * The series of a server. No label has a value that a caller chooses, so that nobody can make their
 * number grow.
 */
export function createSeries(readings: Readings): Series {
  const registry = new Registry();
  const registers = [registry];
  addGauges(registry, readings);
  const counter = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string = never>(
    name: string,
    help: string,
    { buckets, labelNames = [] }: { buckets: number[]; labelNames?: readonly Label[] },
  ) => new Histogram({ name, help, buckets, labelNames, registers });
  return {
    registry,
    calls: counter("trestle_calls_total", "Tool calls that have ended", [
      "tool",
      "transport",
      "outcome",
    ]),
    callSeconds: histogram("trestle_call_seconds", "Duration of tool calls", {
      buckets: CALL_SECONDS,
      labelNames: ["tool"],
    }),
    commands: counter(
      "trestle_commands_total",
      "Commands that have ended, one a command and host",
      [
        "tool",
        "end",
      ],
    ),
    refused: counter(
      "trestle_refused_total",
      "Requests that were rejected before they became a call",
      ["reason"],
    ),
    stops: counter("trestle_stops_total", "Commands that were stopped with all their processes"),
    survivors: counter(
      "trestle_stop_survivors_total",
      "Processes that were left after their command was stopped",
    ),
    reloads: counter(
      "trestle_tool_reloads_total",
      "Tools that were loaded again, or kept because the new content can't be used",
      ["outcome"],
    ),
    jobsEnded: counter("trestle_jobs_ended_total", "Jobs of this server that have ended", [
      "state",
    ]),
    jobWait: histogram(
      "trestle_job_wait_seconds",
      "Time from the creation of a job to its start",
      { buckets: WAIT_SECONDS },
    ),
    output: counter("trestle_job_output_bytes_total", "Output of jobs that was stored"),
    dropped: counter(
      "trestle_job_output_dropped_bytes_total",
      "Output of jobs beyond the bytes that are kept of a stream",
    ),
    storeSeconds: histogram("trestle_store_seconds", "Duration of operations of the job store", {
      buckets: STORE_SECONDS,
      labelNames: ["operation"],
    }),
    storeErrors: counter(
      "trestle_store_errors_total",
      "Operations of the job store that failed",
      ["operation"],
    ),
  };
}

function addGauges(registry: Registry, { load, jobs, takeLag }: Readings): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge("trestle_runs", "Commands that run", () => load().runs);
  gauge("trestle_queue", "Commands that wait for a permit", () => load().queue);
  new Gauge({
    name: "trestle_jobs",
    help: "Jobs of this server that have not ended",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { queued, running } = jobs();
      this.set({ state: "queued" }, queued);
      this.set({ state: "running" }, running);
    },
  });
  gauge(
    "trestle_event_loop_lag_seconds",
    "Longest delay of a timer since the last request for metrics",
    takeLag,
  );
  gauge(
    "process_resident_memory_bytes",
    "Resident memory of the server, without its commands",
    () => Deno.memoryUsage().rss,
  );
  gauge(
    "process_start_time_seconds",
    "When the server started, in seconds since 1970",
    () => performance.timeOrigin / 1_000,
  );
}

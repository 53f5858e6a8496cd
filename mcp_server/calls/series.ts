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
  addGauges(registry, readings);
  return { registry, ...callSeries(registry), ...jobSeries(registry), ...storeSeries(registry) };
}

function callSeries(registry: Registry) {
  const registers = [registry];
  return {
    calls: new Counter({
      name: "trestle_calls_total",
      help: "Tool calls that have ended",
      labelNames: ["tool", "transport", "outcome"],
      registers,
    }),
    callSeconds: new Histogram({
      name: "trestle_call_seconds",
      help: "Duration of tool calls",
      labelNames: ["tool"],
      buckets: CALL_SECONDS,
      registers,
    }),
    refused: new Counter({
      name: "trestle_refused_total",
      help: "Requests that were rejected before they became a call",
      labelNames: ["reason"],
      registers,
    }),
    stops: new Counter({
      name: "trestle_stops_total",
      help: "Commands that were stopped with all their processes",
      registers,
    }),
    survivors: new Counter({
      name: "trestle_stop_survivors_total",
      help: "Processes that were left after their command was stopped",
      registers,
    }),
    reloads: new Counter({
      name: "trestle_tool_reloads_total",
      help: "Tools that were loaded again, or kept because the new content can't be used",
      labelNames: ["outcome"],
      registers,
    }),
  };
}

function jobSeries(registry: Registry) {
  const registers = [registry];
  return {
    jobsEnded: new Counter({
      name: "trestle_jobs_ended_total",
      help: "Jobs of this server that have ended",
      labelNames: ["state"],
      registers,
    }),
    jobWait: new Histogram({
      name: "trestle_job_wait_seconds",
      help: "Time from the creation of a job to its start",
      buckets: WAIT_SECONDS,
      registers,
    }),
    output: new Counter({
      name: "trestle_job_output_bytes_total",
      help: "Output of jobs that was stored",
      registers,
    }),
    dropped: new Counter({
      name: "trestle_job_output_dropped_bytes_total",
      help: "Output of jobs beyond the bytes that are kept of a stream",
      registers,
    }),
  };
}

function storeSeries(registry: Registry) {
  const registers = [registry];
  return {
    storeSeconds: new Histogram({
      name: "trestle_store_seconds",
      help: "Duration of operations of the job store",
      labelNames: ["operation"],
      buckets: STORE_SECONDS,
      registers,
    }),
    storeErrors: new Counter({
      name: "trestle_store_errors_total",
      help: "Operations of the job store that failed",
      labelNames: ["operation"],
      registers,
    }),
  };
}

function addGauges(registry: Registry, { load, jobs, takeLag }: Readings): void {
  const registers = [registry];
  new Gauge({
    name: "trestle_runs",
    help: "Commands that run",
    registers,
    collect() {
      this.set(load().runs);
    },
  });
  new Gauge({
    name: "trestle_queue",
    help: "Commands that wait for a permit",
    registers,
    collect() {
      this.set(load().queue);
    },
  });
  new Gauge({
    name: "trestle_jobs",
    help: "Jobs of this server that have not ended",
    labelNames: ["state"],
    registers,
    collect() {
      const { queued, running } = jobs();
      this.set({ state: "queued" }, queued);
      this.set({ state: "running" }, running);
    },
  });
  new Gauge({
    name: "trestle_event_loop_lag_seconds",
    help: "Longest delay of a timer since the last request for metrics",
    registers,
    collect() {
      this.set(takeLag());
    },
  });
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of the server, without its commands",
    registers,
    collect() {
      this.set(Deno.memoryUsage().rss);
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the server started, in seconds since 1970",
    registers,
  }).set(performance.timeOrigin / 1_000);
}

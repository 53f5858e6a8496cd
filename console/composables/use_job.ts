import type { Job, JobState, OutputStream } from "@trestle/mcp-server";
import {
  computed,
  type ComputedRef,
  onScopeDispose,
  type Ref,
  ref,
  type ShallowRef,
  shallowRef,
  watch,
} from "vue";
import { readEvents, type ServerEvent } from "../api/event_stream.ts";
import { jobs } from "../api/jobs.ts";
import { isRecord, Problem, toProblem } from "../api/problem.ts";
import { connection } from "./use_connection.ts";
import { createJobOutput, type JobOutput } from "./use_job_output.ts";
import { progressText } from "./progress_text.ts";

/** A job and its output, as they change. */
export interface LiveJob {
  readonly job: Readonly<ShallowRef<Job | undefined>>;
  readonly output: Readonly<Record<OutputStream, JobOutput>>;
  readonly progress: Readonly<Ref<string>>;
  /** Why the job can't be shown. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  readonly isLive: ComputedRef<boolean>;
  /** Loads the job again. */
  refresh(): Promise<void>;
}

/** How long to wait before a stream that ended too early is resumed. */
const PAUSE_MS = 500;

/** Whether a job in this state may still change. */
export function isLiveState(state: JobState | undefined): boolean {
  return state === "queued" || state === "running";
}

/** Follows a job from the end of its output on, also across restarts of the server. */
export function useJob(id: string): LiveJob {
  const job = shallowRef<Job>();
  const problem = shallowRef<Problem>();
  const progress = ref("");
  const output = { stdout: createJobOutput(id, "stdout"), stderr: createJobOutput(id, "stderr") };
  const disposed = new AbortController();
  const isLive = computed(() => isLiveState(job.value?.state));

  async function refresh(): Promise<void> {
    job.value = (await jobs.get(id)).data;
  }

  function take({ event, data }: ServerEvent, position: string): void {
    if (!isRecord(data)) return;
    if (event === "progress") progress.value = progressText(data);
    if (event === "state" && data.state !== job.value?.state) void refresh().catch(() => {});
    if (event !== "stdout" && event !== "stderr") return;
    const to = Number(position.split("-")[event === "stdout" ? 0 : 1]);
    output[event].append({ from: Number(data.offset), to, text: String(data.text) });
  }

  /** Follows the events from a position; returns the position after the last one. */
  async function followFrom(position: string): Promise<string> {
    let last = position;
    const { body, status } = await jobs.events(id, position, disposed.signal);
    if (status === 204) return last;
    for await (const event of readEvents(body)) {
      if (event.id !== "") last = event.id;
      take(event, last);
    }
    return last;
  }

  async function start(): Promise<string> {
    await refresh();
    if (job.value === undefined) return "";
    const stdout = await output.stdout.loadEnd(job.value);
    const stderr = await output.stderr.loadEnd(job.value);
    return `${stdout}-${stderr}-0`;
  }

  async function follow(): Promise<void> {
    let position: string | undefined;
    while (!disposed.signal.aborted) {
      try {
        position = await (position === undefined ? start() : followFrom(position));
        problem.value = undefined;
        if (job.value !== undefined && !isLive.value) return;
        await refresh();
      } catch (error) {
        if (disposed.signal.aborted) return;
        problem.value = await toProblem(error);
        if (!problem.value.isAway && problem.value.status < 500) return;
      }
      await pause(disposed.signal);
    }
  }

  void follow();
  onScopeDispose(() => disposed.abort());
  return { job, output, progress, problem, isLive, refresh };
}

/** Waits a moment, and while the server is away until it is back. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (signal.aborted || !connection.isAway.value) return;
  await new Promise<void>((resolve) => {
    const stop = watch(connection.isAway, done);
    signal.addEventListener("abort", done);
    function done(): void {
      stop();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

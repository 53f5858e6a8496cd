import type { Job, OutputStream } from "@trestle/mcp-server";
import { onScopeDispose, type Ref, ref, type ShallowRef, shallowRef } from "vue";
import { readEvents, type ServerEvent } from "../api/event_stream.ts";
import { jobs } from "../api/jobs.ts";
import { isRecord, type Problem, toProblem } from "../api/problem.ts";
import { progressText } from "./progress_text.ts";
import { untilBack } from "./use_connection.ts";
import { isLive } from "./use_job_list.ts";
import { createMergedOutput, type MergedOutput } from "./use_merged_output.ts";
import { createJobOutput, type JobOutput } from "./use_job_output.ts";

/** How long to wait before a stream that ended too early is resumed. */
const PAUSE_MS = 500;

/** Follows a job, from the end of its output on, while the component is shown. */
export function useJob(id: string): LiveJob {
  const disposed = new AbortController();
  const live = new LiveJob(id);
  void live.follow(disposed.signal);
  onScopeDispose(() => disposed.abort());
  return live;
}

/** A job and its output, as they change. */
export class LiveJob {
  /** The job; `undefined` until it is loaded. */
  readonly job: ShallowRef<Job | undefined> = shallowRef();
  /** Its streams. */
  readonly output: Readonly<Record<OutputStream, JobOutput>>;
  /** Both of them, as they were written. */
  readonly merged: MergedOutput;
  /** What its tool reports about its progress. */
  readonly progress: Ref<string> = ref("");
  /** Why the job can't be shown. */
  readonly problem: ShallowRef<Problem | undefined> = shallowRef();
  readonly #id: string;
  /** Ends the events of a run when the job is started again. */
  #run = new AbortController();

  /** Takes the id of the job. */
  constructor(id: string) {
    this.#id = id;
    this.merged = createMergedOutput(id);
    this.output = { stdout: createJobOutput(id, "stdout"), stderr: createJobOutput(id, "stderr") };
  }

  /** Whether the job may still change. */
  get isLive(): boolean {
    return this.job.value !== undefined && isLive(this.job.value);
  }

  /** Loads the job again. */
  async refresh(): Promise<void> {
    const before = this.job.value?.attempt;
    const { data: job } = await jobs.get(this.#id);
    this.job.value = job;
    if (before !== undefined && job.attempt !== before) this.#run.abort();
  }

  /** Follows the job until it has ended, also across restarts of the server. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    for (let position: string | undefined; !signal.aborted; await pause(signal)) {
      try {
        if (this.#run.signal.aborted) position = undefined;
        position = await (position === undefined ? this.#open() : this.#resume(position, signal));
        this.problem.value = undefined;
        if (!this.isLive) return;
        await this.refresh();
      } catch (error) {
        if (signal.aborted) return;
        if (this.#run.signal.aborted) continue;
        const problem = await toProblem(error);
        this.problem.value = problem;
        if (!problem.isAway && problem.status < 500) return;
      }
    }
  }

  /** Loads the job and the ends of its streams; returns the position after them. */
  async #open(): Promise<string> {
    this.#run = new AbortController();
    const { data: job } = await jobs.get(this.#id);
    for (const stream of [this.merged, ...Object.values(this.output)]) stream.clear();
    const stdout = await this.output.stdout.loadEnd(job);
    const stderr = await this.output.stderr.loadEnd(job);
    await this.merged.loadEnd(`${stdout}-${stderr}`);
    this.job.value = job;
    return `${stdout}-${stderr}-0`;
  }

  /** Takes the events after a position until the stream ends; returns the last position. */
  async #resume(position: string, signal: AbortSignal): Promise<string> {
    const either = AbortSignal.any([signal, this.#run.signal]);
    const { body, status } = await jobs.events(this.#id, position, either);
    if (status === 204) return position;
    let last = position;
    for await (const event of readEvents(body)) {
      if (event.id !== "") last = event.id;
      this.#take(event, last);
    }
    return last;
  }

  #take({ event, data }: ServerEvent, position: string): void {
    if (!isRecord(data)) return;
    if (event === "progress") this.progress.value = progressText(data);
    if (event === "state" && data.state !== this.job.value?.state) {
      void this.refresh().catch(() => {});
    }
    if (event !== "stdout" && event !== "stderr") return;
    const to = Number(position.split("-")[event === "stdout" ? 0 : 1]);
    const piece = { from: Number(data.offset), to, text: String(data.text) };
    this.output[event].append(piece);
    this.merged.append(event, piece);
  }
}

/** Waits a moment, and while the server is away until it is back. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  await untilBack(signal);
}

import type { Job } from "@trestle/mcp-server";
import { computed, type ComputedRef, ref, type ShallowRef, shallowRef, watch } from "vue";
import { type JobFilter, jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { usePolling } from "./use_polling.ts";

/** The caller's jobs that pass a filter, newest first. */
interface JobList {
  /** `undefined` until they are loaded. */
  readonly list: ComputedRef<readonly Job[] | undefined>;
  readonly hasOlder: ComputedRef<boolean>;
  /** Why they can't be loaded. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** Loads the newest again. Never rejects. */
  load(): Promise<void>;
  /** Loads those before the oldest one. Never rejects. */
  loadOlder(): Promise<void>;
}

const POLL_MS = 3_000;

/** Whether a job may still change. */
export function isLive({ state }: Pick<Job, "state">): boolean {
  return state === "queued" || state === "running";
}

/** Loads the newest jobs again and again; older ones that were asked for stay as they are. */
export function useJobList(filter: () => JobFilter): JobList {
  const newest = shallowRef<readonly Job[]>();
  const older = shallowRef<readonly Job[]>([]);
  const nextCursor = ref<string>();
  const problem = shallowRef<Problem>();

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      problem.value = undefined;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }

  const load = () =>
    attempt(async () => {
      const asked = JSON.stringify(filter());
      const { data } = await jobs.list(filter());
      if (asked !== JSON.stringify(filter())) return;
      newest.value = data.jobs;
      if (older.value.length === 0) nextCursor.value = data.nextCursor;
    });

  const loadOlder = () =>
    attempt(async () => {
      if (nextCursor.value === undefined) return;
      const { data } = await jobs.list({ ...filter(), cursor: nextCursor.value });
      older.value = [...older.value, ...data.jobs];
      nextCursor.value = data.nextCursor;
    });

  watch(filter, () => {
    newest.value = undefined;
    older.value = [];
    nextCursor.value = undefined;
    void load();
  });
  usePolling(load, POLL_MS);
  return {
    list: computed(() => newest.value && joined(newest.value, older.value)),
    hasOlder: computed(() => nextCursor.value !== undefined),
    problem,
    load,
    loadOlder,
  };
}

/** A job that has become older is in both parts. */
function joined(newest: readonly Job[], older: readonly Job[]): readonly Job[] {
  const known = new Set(newest.map(({ id }) => id));
  return [...newest, ...older.filter(({ id }) => !known.has(id))];
}

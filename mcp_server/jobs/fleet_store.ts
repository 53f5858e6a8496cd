import type { FleetServer } from "../tool/fleet.ts";
import type { Creation, JobEnd, JobStore, NewJob, OrphanEnd, StoredJob } from "./job_store.ts";
import type { RunStore } from "./late_store.ts";

/** What any server needs to run the call of a job. */
export interface StoredCall {
  readonly args: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The scopes of the caller's token; its other rights are those that the server knows. */
  readonly scopes?: readonly string[];
}

/** Where a job waits, and what runs then. */
export interface Dispatch {
  readonly route: string;
  /** How often it is started again if the server that runs it is gone. */
  readonly retries: number;
  readonly call: StoredCall;
}

/** A job that this server has taken and runs from now on. */
export interface TakenJob {
  readonly job: StoredJob;
  readonly call: StoredCall;
  /** Writes for this run only: nothing, once the job is another server's. */
  readonly store: RunStore;
}

/** A job that can't be taken from its queue, because of what the store has of it. */
export interface BrokenJob {
  readonly id: string;
  /** Why. */
  readonly reason: string;
}

/** A store that passes jobs on to the servers that share it. */
export interface FleetStore extends JobStore {
  /** Creates a queued job that whichever server takes from a queue. */
  dispatch(job: NewJob, dispatch: Dispatch, maxJobs: number): Promise<Creation>;
  /** Whether any server has ever taken jobs from a queue. */
  hasRoute(route: string): Promise<boolean>;
  /**
   * Takes the jobs that have waited longest, at most so many; they run from now on. One that can't be
   * taken ends as `endOf` says, and leaves the queue to the others.
   */
  take(most: number, endOf: (broken: BrokenJob) => JobEnd): Promise<TakenJob[]>;
  /** Takes no more jobs, and tells the other servers so. */
  stopTaking(): void;
  /** Calls back when there may be jobs to take, until disposed of. */
  onWork(listener: () => void): Disposable;
  /** Calls back if this server was taken for gone: its jobs are no longer its own. */
  onLost(listener: () => void): Disposable;
  /** Ends a job that no server has taken; `false` if one has, or it is final. */
  endQueued(id: string, end: JobEnd): Promise<boolean>;
  /**
   * Finds the jobs that belong to this server in the store, but not to any of these ids: their
   * transaction was committed, but the answer got lost. Ends them as lost, or queues them again.
   */
  reclaim(ids: ReadonlySet<string>, end: OrphanEnd): Promise<void>;
  /** The servers that are alive. */
  servers(): Promise<FleetServer[]>;
}

/** Whether a store passes jobs on. */
export function isFleet(store: JobStore): store is FleetStore {
  return "dispatch" in store;
}

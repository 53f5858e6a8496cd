import { messageOf } from "../shared/error.ts";
import type { JobEnd } from "../jobs/job_store.ts";
import type { Log } from "../shared/log.ts";
import type { BrokenJob, FleetStore, TakenJob } from "./fleet_store.ts";

/** From where jobs are taken, and what becomes of them. */
export interface JobTakerOptions {
  readonly store: Pick<FleetStore, "take" | "stopTaking" | "onWork">;
  /** How many jobs could run at once now. */
  readonly room: () => number;
  /** Reports a job that can't be taken, and how it ends. */
  readonly onBroken: (broken: BrokenJob) => JobEnd;
  /** Runs a job; must not throw. */
  readonly launch: (taken: TakenJob) => void;
  readonly log: Log;
}

/** Takes jobs from the queues of the fleet while there is room for them here. */
export class JobTaker {
  readonly #options: JobTakerOptions;
  readonly #listener: Disposable;
  #taking: Promise<void> | undefined;
  #isMore = false;
  #isStopped = false;

  /** Takes jobs from now on. */
  constructor(options: JobTakerOptions) {
    this.#options = options;
    this.#listener = options.store.onWork(() => this.look());
  }

  /** Looks for jobs: there may be some, or room for some. */
  look(): void {
    this.#isMore = true;
    if (this.#isStopped) return;
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined;
      // It may have been called since the last job was looked for.
      if (this.#isMore) this.look();
    });
  }

  /** Takes no more jobs; resolves once those that are being taken run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#options.store.stopTaking();
    this.#listener[Symbol.dispose]();
    await this.#taking;
  }

  async #takeAll(): Promise<void> {
    const { store, room, onBroken, launch, log } = this.#options;
    try {
      while (this.#isMore && !this.#isStopped) {
        this.#isMore = false;
        const most = room();
        const taken = most > 0 ? await store.take(most, onBroken) : [];
        if (taken.length > 0) this.#isMore = true;
        for (const job of taken) launch(job);
      }
    } catch (error) {
      // The store reports work again once it is back.
      log.warn("cannot take jobs", { reason: messageOf(error) });
    }
  }
}

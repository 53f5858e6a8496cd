import type { JobEnd, JobStore, JournalEntry, NewJob, OutputPiece } from "./job_store.ts";
import { tooManyJobs } from "./new_job.ts";

/** What a running job needs of the store. */
export interface RunStore
  extends Pick<JobStore, "server" | "heldBytes" | "begin" | "append" | "note" | "end"> {
  /** Whether the job is in the store already. @default {true} */
  readonly isStored?: boolean;
  /**
   * Queues the job for another server, as if this run had not begun, or ends it as `cancelled` if
   * that was asked for; `false` if it is no longer this server's. Absent if it may not be started
   * again.
   */
  readonly giveBack?: (id: string, cancelled: JobEnd) => Promise<boolean>;
}

/** What it takes to store a job and to forget it. */
export type KeptStore = RunStore & Pick<JobStore, "create" | "remove">;

/** How much a call may hold in memory before it is stored although it is no job yet. */
const MOST_HELD = { bytes: 256 * 1024, writes: 256 };

/**
 * The store of a call that may become a job. Until it is kept, what happens to it is held in memory,
 * so that a short call costs no write; a flood of output is stored earlier.
 */
export class LateStore implements RunStore {
  readonly server: string;
  readonly heldBytes?: number;
  readonly #store: KeptStore;
  readonly #job: NewJob;
  readonly #maxJobs: number;
  #held: ((store: RunStore) => Promise<boolean>)[] = [];
  #bytes = 0;
  #storing: Promise<void> | undefined;
  #refusal: unknown;
  /** Whether the job was created, but not all that had happened to it could be stored. */
  #isPartial = false;
  #isForgotten = false;
  #isEnded = false;

  constructor(store: KeptStore, job: NewJob, maxJobs: number) {
    this.server = store.server;
    if (store.heldBytes !== undefined) this.heldBytes = store.heldBytes;
    this.#store = store;
    this.#job = job;
    this.#maxJobs = maxJobs;
  }

  get isStored(): boolean {
    return this.#storing !== undefined;
  }

  async begin(id: string, startedAt: number): Promise<boolean> {
    return await this.#write((store) => store.begin(id, startedAt));
  }

  async append(id: string, pieces: readonly OutputPiece[]): Promise<boolean> {
    for (const { bytes } of pieces) this.#bytes += bytes.length;
    return await this.#write((store) => store.append(id, pieces));
  }

  async note(id: string, entries: readonly JournalEntry[]): Promise<boolean> {
    return await this.#write((store) => store.note(id, entries));
  }

  async end(id: string, end: JobEnd): Promise<boolean> {
    const isDone = await this.#write((store) => store.end(id, end));
    if (this.#isPartial) await this.#store.end(id, end);
    this.#isEnded = true;
    await this.#removeForgotten();
    return isDone;
  }

  /** Stores the job with all that has happened to it. Rejects with `BUSY` if too many are live. */
  async keep(): Promise<void> {
    await (this.#storing ??= this.#createWithHeld());
  }

  /** Removes what may be stored of the call, once it has ended: it is no job. */
  async forget(): Promise<void> {
    this.#isForgotten = true;
    this.#held = [];
    await this.#removeForgotten();
  }

  async #write(write: (store: RunStore) => Promise<boolean>): Promise<boolean> {
    if (this.#storing === undefined) {
      if (this.#isForgotten) return true;
      this.#held.push(write);
      if (this.#bytes <= MOST_HELD.bytes && this.#held.length <= MOST_HELD.writes) return true;
      await this.keep().catch(ignore);
      return true;
    }
    await this.#storing.catch(ignore);
    return this.#refusal === undefined ? await write(this.#store) : true;
  }

  async #removeForgotten(): Promise<void> {
    if (!this.#isForgotten || !this.#isEnded || this.#storing === undefined) return;
    await this.#storing.catch(ignore);
    // What can't be removed now expires.
    await this.#store.remove(this.#job.id).catch(ignore);
  }

  async #createWithHeld(): Promise<void> {
    try {
      const creation = await this.#store.create(this.#job, this.#maxJobs);
      if (creation.kind === "full") throw tooManyJobs(this.#job, this.#maxJobs, creation);
      this.#isPartial = true;
      for (const write of this.#held) await write(this.#store);
      this.#isPartial = false;
    } catch (error) {
      this.#refusal = error;
      throw error;
    } finally {
      this.#held = [];
    }
  }
}

const ignore = () => {};

import type { JobEnd, NewJob, OutputPiece } from "./job_store.ts";
import type { KeptStore, RunStore } from "./late_store.ts";
import type { ServerMeter } from "../calls/server_meter.ts";

/** What has to be known of a job to count it. */
type CountedJob = Pick<NewJob, "id" | "createdAt" | "outputBytes">;

/** Counts the jobs that a server runs, and how long its store takes for them. */
export class JobMeter {
  readonly #meter: ServerMeter;
  readonly #running = new Set<string>();

  constructor(meter: ServerMeter) {
    this.#meter = meter;
  }

  /** How many jobs run. */
  get running(): number {
    return this.#running.size;
  }

  /** Counts what is stored of a job, in the store that is returned. */
  watch(job: CountedJob, store: KeptStore): KeptStore {
    return {
      ...this.watchRun(job, store),
      create: (...values) => this.#timed("create", () => store.create(...values)),
      remove: (id) => store.remove(id),
    };
  }

  /** Counts what is stored of a job that this server has taken. */
  watchRun(job: CountedJob, store: RunStore): RunStore {
    const { giveBack } = store;
    return {
      server: store.server,
      ...(giveBack === undefined ? {} : {
        giveBack: async (id, cancelled) => {
          const isGiven = await this.#timed("giveBack", () => giveBack(id, cancelled));
          this.#running.delete(id);
          return isGiven;
        },
      }),
      ...(store.heldBytes === undefined ? {} : { heldBytes: store.heldBytes }),
      begin: async (id, startedAt) => {
        const isOurs = await this.#timed("begin", () => store.begin(id, startedAt));
        if (isOurs) this.#began(job, startedAt);
        return isOurs;
      },
      append: async (id, pieces) => {
        const isOurs = await this.#timed("append", () => store.append(id, pieces));
        if (isOurs) this.#stored(pieces, job.outputBytes);
        return isOurs;
      },
      note: (id, entries) => this.#timed("note", () => store.note(id, entries)),
      end: async (id, end) => {
        const isDone = await this.#timed("end", () => store.end(id, end));
        this.#ended(id, end);
        return isDone;
      },
    };
  }

  #began({ id, createdAt }: Pick<NewJob, "id" | "createdAt">, startedAt: number): void {
    this.#running.add(id);
    this.#meter.record(({ jobWait }) => jobWait.observe((startedAt - createdAt) / 1_000));
  }

  /** Beyond the bytes that are kept of a stream, each byte displaces another one. */
  #stored(pieces: readonly OutputPiece[], kept: number): void {
    let [stored, dropped] = [0, 0];
    for (const { offset, bytes: { length } } of pieces) {
      stored += length;
      dropped += Math.min(length, Math.max(0, offset + length - kept));
    }
    this.#meter.record((series) => {
      series.output.inc(stored);
      series.dropped.inc(dropped);
    });
  }

  #ended(id: string, { state }: JobEnd): void {
    this.#running.delete(id);
    this.#meter.record(({ jobsEnded }) => jobsEnded.inc({ state }));
  }

  async #timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } catch (error) {
      this.#meter.record(({ storeErrors }) => storeErrors.inc({ operation }));
      throw error;
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000;
      this.#meter.record(({ storeSeconds }) => storeSeconds.observe({ operation }, seconds));
    }
  }
}

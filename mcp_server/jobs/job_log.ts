import { type ServerMeter, timed } from "../calls/server_meter.ts";
import type { OutputEvent } from "../tool/command.ts";
import type { ProgressUpdate } from "../tool/result.ts";
import { JobError } from "../tool/job.ts";
import type { ShownQuestions } from "../tool/job.ts";
import type {
  JobEnd,
  JobRun,
  JobStore,
  JournalEntry,
  LastWrites,
  NewJob,
  StoredJob,
} from "./job_store.ts";
import { StreamBatch, SwitchLog } from "./output_pieces.ts";
import { tooManyJobs } from "./stored_job.ts";

/** A batch is written when a stream has this much output, or after this time. */
const BATCH = { bytes: 64 * 1024, ms: 100 };
/** How many updates of progress one batch holds: the latest. */
const MOST_UPDATES = 100;
/** How much a call may hold in memory before it is stored although it is no job yet. */
const MOST_HELD = { bytes: 256 * 1024, writes: 256 };

/** Where the run of a job is stored. */
export interface JobLogOptions {
  readonly store: Pick<
    JobStore,
    "server" | "heldBytes" | "create" | "begin" | "append" | "note" | "ask" | "end" | "remove"
  >;
  /** How many jobs are kept at most. */
  readonly maxJobs: number;
  /** Counts the run, and how long the store takes for it. */
  readonly meter: Pick<ServerMeter, "record">;
  /**
   * Called once if nothing more can be written: with the error, or without one if the job now
   * belongs to another server.
   */
  readonly onFailed: (error: unknown) => void;
}

/** A write, for the run that the job has in the store. */
type Write = (run: JobRun) => Promise<boolean>;

/**
 * Stores the run of a job: its beginning, its output and progress in batches, in order and as they
 * arrive, and its end. A call that may become a job is held in memory until it is kept, so that a
 * short one costs no write; a flood of output is stored earlier.
 */
export class JobLog {
  readonly #job: NewJob;
  readonly #options: JobLogOptions;
  /** Whether the store has its beginning already, as that of a job which was taken from a queue. */
  readonly #hasBegun: boolean;
  /** `forgotten`: nothing more is stored, because nobody asks for it, or it could not be created. */
  #state: "held" | "stored" | "forgotten";
  /** Its run, once it is in the store. */
  #run: JobRun | undefined;
  #held: Write[] = [];
  #heldBytes = 0;
  #creation: Promise<void> | undefined;
  #end: JobEnd | undefined;
  readonly #streams = { stdout: new StreamBatch("stdout"), stderr: new StreamBatch("stderr") };
  readonly #switches = new SwitchLog();
  #updates: ProgressUpdate[] = [];
  /** What could not be stored with the end. */
  #unwritten: LastWrites | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Why nothing more can be written. */
  #failure: { readonly error: unknown } | undefined;

  /** Stores a run of a stored job at once, and holds that of a new one. */
  constructor(job: NewJob | StoredJob, options: JobLogOptions) {
    this.#job = job;
    this.#options = options;
    const stored = "seq" in job ? job : undefined;
    this.#hasBegun = stored?.state === "running";
    this.#run = stored && runOf(stored, options.store);
    this.#state = stored === undefined ? "held" : "stored";
  }

  /** Whether the job is in the store, or is being created there. */
  get isStored(): boolean {
    return this.#state === "stored";
  }

  /** The length of each stream so far, with what is not written yet. */
  get length(): StoredJob["length"] {
    return { stdout: this.#streams.stdout.length, stderr: this.#streams.stderr.length };
  }

  /** Records that the job runs, since `startedAt`; `false` if it is no longer this server's. */
  async begin(startedAt: number = Date.now()): Promise<boolean> {
    const { id, createdAt } = this.#job;
    this.#switches.begin(startedAt);
    return await this.#write(async (run) => {
      const isOurs = this.#hasBegun ||
        await this.#timed("begin", (store) => store.begin(id, startedAt, run));
      if (isOurs) {
        const seconds = (startedAt - createdAt) / 1_000;
        this.#options.meter.record(({ jobWait }) => jobWait.observe(seconds));
      }
      return isOurs;
    });
  }

  /**
   * Takes a piece of output: its bytes as a command wrote them, or the UTF-8 of a text. The promise,
   * if there is one, resolves when there is room for more.
   */
  output({ stream, text, bytes = encoder.encode(text) }: OutputEvent): void | Promise<void> {
    if (this.#failure !== undefined || bytes.length === 0) return;
    const batch = this.#streams[stream];
    this.#switches.take(stream, this.length);
    batch.push(bytes);
    if (batch.size >= BATCH.bytes) {
      const written = this.flush();
      return batch.size < (this.#options.store.heldBytes ?? BATCH.bytes) ? undefined : written;
    }
    this.#timer ??= setTimeout(() => void this.flush(), BATCH.ms);
  }

  /** Takes an update of progress. */
  progress(update: ProgressUpdate): void {
    if (this.#failure !== undefined) return;
    if (this.#updates.length === MOST_UPDATES) this.#updates.shift();
    this.#updates.push(update);
    this.#timer ??= setTimeout(() => void this.flush(), BATCH.ms);
  }

  /** Stores what the job asks its user. Rejects with a `JobError`. */
  async ask(questions: ShownQuestions): Promise<void> {
    const { id } = this.#job;
    await this.#write((run) => this.#timed("ask", (store) => store.ask(id, questions, run)));
  }

  /** Writes the output and the progress so far; never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writing = this.#writing.then(() => this.#writeBatch());
  }

  /**
   * Waits until what is being written is stored: the rest may be stored with the end, in one step; that
   * of a call which is no job yet is written. Never rejects.
   */
  settle(): Promise<void> {
    if (this.#run === undefined) return this.flush();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writing;
  }

  /** Whether something is left that could not be stored with the end; `flush()` writes it. */
  get hasUnwritten(): boolean {
    return this.#unwritten !== undefined;
  }

  /**
   * Stores the end with what is not stored yet; of a job that is stored in part, too. Rejects with a
   * `JobError`.
   */
  async end(end: JobEnd): Promise<void> {
    this.#end = end;
    await this.#creation?.catch(ignore);
    if (this.#run === undefined) {
      await this.#write((run) => this.#writeEnd(end, run));
      return;
    }
    const rest = this.#failure === undefined ? this.#take() : undefined;
    this.#unwritten = rest;
    await this.#writeEnd(end, this.#run, rest);
    this.#unwritten = undefined;
  }

  /**
   * Stores the job with all that has happened to it. Rejects with `BUSY` if too many are live, and as
   * the store does; then nothing more is stored.
   */
  async keep(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error ?? NO_LONGER_OURS;
    if (this.#state === "held") {
      this.#state = "stored";
      this.#creation = this.#create();
    }
    await this.#creation;
  }

  /** Stores nothing more: nobody will ask for it. */
  forget(): void {
    this.#state = "forgotten";
    this.#held = [];
  }

  /** Removes what is stored of a forgotten call that has ended; what can't be removed expires. */
  async remove(): Promise<void> {
    await this.#creation?.catch(ignore);
    if (this.#run === undefined || this.#end === undefined) return;
    const { store } = this.#options;
    await store.end(this.#job.id, this.#end, this.#run).catch(ignore);
    await store.remove(this.#job.id).catch(ignore);
  }

  async #create(): Promise<void> {
    const { maxJobs } = this.#options;
    try {
      const creation = await this.#timed("create", (store) => store.create(this.#job, maxJobs));
      if (creation.kind === "full") throw tooManyJobs(this.#job, maxJobs, creation);
      this.#run = runOf(creation.job, this.#options.store);
      for (const write of this.#held) await write(this.#run);
    } catch (error) {
      this.#state = "forgotten";
      throw error;
    } finally {
      this.#held = [];
    }
  }

  async #write(write: Write, bytes = 0): Promise<boolean> {
    if (this.#state === "held") {
      this.#held.push(write);
      this.#heldBytes += bytes;
      const isMuch = this.#heldBytes > MOST_HELD.bytes || this.#held.length > MOST_HELD.writes;
      if (isMuch) await this.keep().catch(ignore);
      return true;
    }
    await this.#creation?.catch(ignore);
    return this.#state === "forgotten" || this.#run === undefined || await write(this.#run);
  }

  async #writeBatch(): Promise<void> {
    if (this.#failure !== undefined) return;
    const { id } = this.#job;
    const { pieces, switches, entries } = this.#take() ?? NOTHING;
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0);
    const append: Write = (run) => this.#append({ pieces, switches }, run);
    const note: Write = (run) => this.#timed("note", (store) => store.note(id, entries, run));
    try {
      const isOurs = (bytes === 0 || await this.#write(append, bytes)) &&
        (entries.length === 0 || await this.#write(note));
      if (!isOurs) this.#fail(undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** What is not written yet; `undefined` if that is nothing. */
  #take(): LastWrites | undefined {
    if (this.#unwritten !== undefined) {
      const unwritten = this.#unwritten;
      this.#unwritten = undefined;
      return unwritten;
    }
    const pieces = [...this.#streams.stdout.take(), ...this.#streams.stderr.take()];
    const entries = this.#updates.map((update): JournalEntry => ({ type: "progress", update }));
    this.#updates = [];
    const switches = pieces.length === 0 ? [] : this.#switches.release();
    return pieces.length + entries.length === 0 ? undefined : { pieces, switches, entries };
  }

  async #append(
    { pieces, switches }: Pick<LastWrites, "pieces" | "switches">,
    run: JobRun,
  ): Promise<boolean> {
    const { id } = this.#job;
    const isOurs = await this.#timed("append", (store) => store.append(id, pieces, run, switches));
    if (isOurs) this.#count(pieces);
    return isOurs;
  }

  /** Beyond the bytes that are kept of a stream, each byte displaces another one. */
  #count(pieces: LastWrites["pieces"]): void {
    const { outputBytes } = this.#job;
    let [stored, dropped] = [0, 0];
    for (const { offset, bytes: { length } } of pieces) {
      stored += length;
      dropped += Math.min(length, Math.max(0, offset + length - outputBytes));
    }
    this.#options.meter.record((series) => {
      series.output.inc(stored);
      series.dropped.inc(dropped);
    });
  }

  async #writeEnd(end: JobEnd, run: JobRun, rest?: LastWrites): Promise<boolean> {
    const isDone = await this.#timed("end", (store) => store.end(this.#job.id, end, run, rest));
    if (isDone && rest !== undefined) this.#count(rest.pieces);
    this.#options.meter.record(({ jobsEnded }) => jobsEnded.inc({ state: end.state }));
    return isDone;
  }

  async #timed<T>(
    operation: string,
    work: (store: JobLogOptions["store"]) => Promise<T>,
  ): Promise<T> {
    return await timed(operation, this.#options.meter, () => work(this.#options.store));
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#options.onFailed(error);
  }
}

function runOf({ server, attempt = 1 }: StoredJob, store: Pick<JobStore, "server">): JobRun {
  return { server: server ?? store.server, attempt };
}

const NO_LONGER_OURS = new JobError("Cannot keep the job: it is no longer this server's", {
  code: "JOBS_UNAVAILABLE",
});
const NOTHING: LastWrites = { pieces: [], switches: [], entries: [] };
const ignore = () => {};
const encoder = new TextEncoder();

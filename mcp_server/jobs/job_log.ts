import type { OutputEvent, OutputStream } from "../tool/command.ts";
import type { ProgressUpdate } from "../tool/result.ts";
import type { JobStore, JournalEntry, OutputPiece } from "./job_store.ts";

/** A batch is written when a stream has this much output, or after this time. */
const BATCH = { bytes: 64 * 1024, ms: 100 };
/** How many updates of progress one batch holds: the latest. */
const MOST_UPDATES = 100;

/** Where a job's output and progress go. */
export interface JobLogOptions {
  readonly id: string;
  readonly store: Pick<JobStore, "append" | "note">;
  /** How much output of a stream may wait for the store. @default {65_536} */
  readonly heldBytes?: number | undefined;
  /**
   * Called once if nothing more can be written: with the error, or without one if the job now
   * belongs to another server.
   */
  readonly onFailed: (error: unknown) => void;
}

/** Writes the output and the progress of a job in batches, in order and as it arrives. */
export class JobLog {
  readonly #options: JobLogOptions;
  readonly #streams = { stdout: new StreamBatch("stdout"), stderr: new StreamBatch("stderr") };
  #updates: ProgressUpdate[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failed = false;

  /** Takes where to write. */
  constructor(options: JobLogOptions) {
    this.#options = options;
  }

  /**
   * Takes a piece of output: its bytes as a command wrote them, or the UTF-8 of a text. The promise,
   * if there is one, resolves when there is room for more.
   */
  output({ stream, text, bytes = encoder.encode(text) }: OutputEvent): void | Promise<void> {
    if (this.#failed || bytes.length === 0) return;
    const batch = this.#streams[stream];
    batch.push(bytes);
    if (batch.size >= BATCH.bytes) {
      const written = this.#flush();
      return batch.size < (this.#options.heldBytes ?? BATCH.bytes) ? undefined : written;
    }
    this.#timer ??= setTimeout(() => void this.#flush(), BATCH.ms);
  }

  /** Takes an update of progress. */
  progress(update: ProgressUpdate): void {
    if (this.#failed) return;
    if (this.#updates.length === MOST_UPDATES) this.#updates.shift();
    this.#updates.push(update);
    this.#timer ??= setTimeout(() => void this.#flush(), BATCH.ms);
  }

  /** Writes the rest; never rejects. */
  async close(): Promise<void> {
    await this.#flush();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    if (this.#failed) return;
    const { id, store } = this.#options;
    const pieces = [...this.#streams.stdout.take(), ...this.#streams.stderr.take()];
    const entries = this.#updates.map((update): JournalEntry => ({ type: "progress", update }));
    this.#updates = [];
    try {
      const isOurs = (pieces.length === 0 || await store.append(id, pieces)) &&
        (entries.length === 0 || await store.note(id, entries));
      if (!isOurs) this.#fail(undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failed = true;
    this.#options.onFailed(error);
  }
}

const encoder = new TextEncoder();

/** The bytes of one stream that are not written yet. */
class StreamBatch {
  readonly #stream: OutputStream;
  #offset = 0;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  get size(): number {
    return this.#size;
  }

  push(bytes: Uint8Array): void {
    this.#parts.push(bytes.slice());
    this.#size += bytes.length;
  }

  take(): OutputPiece[] {
    const [first = new Uint8Array(0)] = this.#parts;
    const bytes = this.#parts.length > 1 ? new Uint8Array(this.#size) : first;
    if (bytes !== first) {
      let at = 0;
      for (const part of this.#parts) {
        bytes.set(part, at);
        at += part.length;
      }
    }
    const offset = this.#offset;
    this.#offset += this.#size;
    this.#parts = [];
    this.#size = 0;
    return bytes.length === 0 ? [] : [{ stream: this.#stream, offset, bytes }];
  }
}

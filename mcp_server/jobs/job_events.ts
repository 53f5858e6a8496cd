import type { OutputStream } from "../tool/command.ts";
import { firstOf } from "../shared/deadline.ts";
import { isFinal, JOB_START, type JobEvent, toOutputRange, type WatchCursor } from "../tool/job.ts";
import type { JobStore, NumberedEntry, StoredJob } from "./job_store.ts";
import { withoutCutEnd } from "../shared/bytes.ts";
import { JobChanges } from "./job_changes.ts";
import { joinPieces } from "./output_part.ts";

/** The most output of one event. */
const EVENT_BYTES = 64 * 1024;

/** Which job is watched, and from where. */
export interface EventOptions {
  /** Reads the job again; rejects if it is gone. */
  readonly find: () => Promise<StoredJob>;
  readonly from: WatchCursor;
  readonly signal: AbortSignal;
}

/**
 * Everything that happens to a job from a position on, in an order that depends only on the store:
 * the output up to each entry of the journal, and then the entry. So a watcher that returns sees
 * what it would have seen.
 */
export async function* jobEvents(
  store: JobStore,
  id: string,
  { find, from, signal }: EventOptions,
): AsyncGenerator<JobEvent, void> {
  using changes = new JobChanges(store, id);
  using gone = firstOf({ signal });
  const reader = new EventReader(store, find, from);
  while (!signal.aborted) {
    const job = await find();
    for await (const event of reader.readUpTo(job)) {
      if (signal.aborted) return;
      yield event;
    }
    if (isFinal(job.state)) return;
    await Promise.race([changes.next(), gone.expired]);
  }
}

class EventReader {
  readonly #store: JobStore;
  readonly #find: EventOptions["find"];
  #cursor: WatchCursor;

  constructor(store: JobStore, find: EventOptions["find"], from: WatchCursor) {
    this.#store = store;
    this.#find = find;
    this.#cursor = from;
  }

  async *readUpTo(job: StoredJob): AsyncGenerator<JobEvent> {
    const { id, events, length } = job;
    const isOver = isFinal(job.state);
    const entries = events > this.#cursor.events
      ? await this.#store.journal(id, this.#cursor.events)
      : [];
    for (const numbered of entries) {
      if (numbered.number > events) break;
      const isLast = isOver && numbered.number === events;
      yield* this.#output(id, numbered.length, isLast);
      yield this.#entry(numbered);
    }
    yield* this.#output(id, length, isOver);
  }

  #entry({ number, entry }: NumberedEntry): JobEvent {
    // A job that is queued once more writes its output anew.
    const isAgain = number > 1 && entry.type === "state" && entry.state === "queued";
    const { stdout, stderr } = isAgain ? JOB_START : this.#cursor;
    this.#cursor = { stdout, stderr, events: number };
    return { ...entry, cursor: this.#cursor };
  }

  async *#output(id: string, length: StoredJob["length"], isWhole: boolean) {
    yield* this.#stream(id, { stream: "stdout", end: length.stdout, isWhole });
    yield* this.#stream(id, { stream: "stderr", end: length.stderr, isWhole });
  }

  /** A character that is not complete waits for its rest, unless there is none. */
  async *#stream(
    id: string,
    { stream, end, isWhole }: { stream: OutputStream; end: number; isWhole: boolean },
  ): AsyncGenerator<JobEvent> {
    while (this.#cursor[stream] < end) {
      const from = this.#cursor[stream];
      const to = Math.min(end, from + EVENT_BYTES);
      const pieces = await this.#store.read(id, stream, { from, to });
      const kept = joinPieces(pieces, from);
      if (kept.length === 0) {
        yield await this.#gap(stream, pieces[0]?.offset ?? to);
        continue;
      }
      const isBeforeGap = from + kept.length < to;
      const isEnd = from + kept.length === end && isWhole;
      const bytes = isBeforeGap || isEnd ? kept : withoutCutEnd(kept).slice();
      if (bytes.length === 0) return;
      const cursor = this.#moveTo(stream, from + bytes.length);
      yield { type: stream, offset: from, bytes, cursor };
    }
  }

  /**
   * The gap at the current position: up to the first byte that is kept now, at least up to `least`.
   */
  async #gap(stream: OutputStream, least: number): Promise<JobEvent> {
    const { length, outputBytes } = await this.#find();
    const { gap: now } = toOutputRange(length[stream], outputBytes);
    const gap = { from: this.#cursor[stream], to: Math.max(least, now?.to ?? 0) };
    return { type: "gap", stream, gap, cursor: this.#moveTo(stream, gap.to) };
  }

  #moveTo(stream: OutputStream, offset: number): WatchCursor {
    return this.#cursor = { ...this.#cursor, [stream]: offset };
  }
}

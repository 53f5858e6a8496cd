import { withoutCutEnd } from "../shared/json.ts";
import { firstOf } from "../shared/concurrency.ts";
import type { OutputStream } from "../tool/command.ts";
import {
  isFinal,
  JOB_START,
  JobError,
  type JobEvent,
  type OutputRange,
  toOutputRange,
  type WatchCursor,
} from "../tool/job.ts";
import type { OutputPart, OutputRequest } from "../tool/job_service.ts";
import type { JobStore, NumberedEntry, OutputPiece, OutputPlace, StoredJob } from "./job_store.ts";

/** The most output of one event. */
const EVENT_BYTES = 64 * 1024;

/** Which job is watched, and from where. */
interface EventOptions {
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

/** Reads what happens to a job, from a position on. */
export class EventReader {
  readonly #store: JobStore;
  readonly #find: EventOptions["find"];
  #cursor: WatchCursor;

  /** `find()` reads the job again; rejects if it is gone. */
  constructor(store: JobStore, find: EventOptions["find"], from: WatchCursor) {
    this.#store = store;
    this.#find = find;
    this.#cursor = from;
  }

  /** What has happened until a job was as it is given. */
  async *readUpTo(job: StoredJob): AsyncGenerator<JobEvent> {
    const { id, events, length } = job;
    const isOver = isFinal(job.state);
    const entries = events > this.#cursor.events
      ? await this.#store.journal(id, this.#cursor.events)
      : [];
    for (const numbered of entries) {
      if (numbered.number > events) break;
      const isLast = isOver && numbered.number === events;
      yield* this.#outputTo(id, numbered.length, isLast);
      yield this.#entry(numbered);
    }
    yield* this.#outputTo(id, length, isOver);
  }

  /** The output up to a place, which may be within a character; it is cut at the places before it. */
  readOutput(
    place: OutputPlace,
    { id, places }: { readonly id: string; readonly places: readonly OutputPlace[] },
  ): AsyncGenerator<JobEvent> {
    return this.#output(id, place, { isWhole: true, places });
  }

  #entry({ number, entry }: NumberedEntry): JobEvent {
    // A job that is queued once more writes its output anew.
    const isAgain = number > 1 && entry.type === "state" && entry.state === "queued";
    const { stdout, stderr } = isAgain ? JOB_START : this.#cursor;
    this.#cursor = { stdout, stderr, events: number };
    return { ...entry, cursor: this.#cursor };
  }

  /** The output up to a place, in the order in which it was stored. */
  async *#outputTo(id: string, length: OutputPlace, isWhole: boolean): AsyncGenerator<JobEvent> {
    yield* this.#output(id, length, { isWhole, places: await this.#placesTo(id, length) });
  }

  async *#output(
    id: string,
    length: OutputPlace,
    { isWhole, places }: { readonly isWhole: boolean; readonly places: readonly OutputPlace[] },
  ): AsyncGenerator<JobEvent> {
    for (const place of places) {
      yield* this.#stream(id, { stream: "stdout", end: place.stdout, isWhole: false });
      yield* this.#stream(id, { stream: "stderr", end: place.stderr, isWhole: false });
    }
    yield* this.#stream(id, { stream: "stdout", end: length.stdout, isWhole });
    yield* this.#stream(id, { stream: "stderr", end: length.stderr, isWhole });
  }

  /** The switches before a place; where one stream has nothing new, there is no order to know. */
  async #placesTo(id: string, end: OutputPlace): Promise<OutputPlace[]> {
    const { stdout, stderr } = this.#cursor;
    if (stdout >= end.stdout || stderr >= end.stderr) return [];
    const places = await this.#store.switches(id, { stdout, stderr });
    return places.filter((place) => place.stdout <= end.stdout && place.stderr <= end.stderr);
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

/** Waits for changes of one job; none is missed between two waits. */
export class JobChanges implements Disposable {
  readonly #listener: Disposable;
  #changed = Promise.withResolvers<"changed">();

  /** Listens to the changes of a job from now on. */
  constructor(store: JobStore, id: string) {
    this.#listener = store.onChange((changed) => {
      if (changed === undefined || changed === id) this.#changed.resolve("changed");
    });
  }

  /** Resolves at the next change, including one since the last call. */
  async next(): Promise<"changed"> {
    const changed = await this.#changed.promise;
    this.#changed = Promise.withResolvers();
    return changed;
  }

  /** Stops listening. */
  [Symbol.dispose](): void {
    this.#listener[Symbol.dispose]();
  }
}

const BYTES = { usual: 64 * 1024, most: 1024 * 1024 };

/** Reads a part of a stream, up to the gap at most, as `JobService.read()` promises. */
export async function readPart(
  store: JobStore,
  job: StoredJob,
  { stream, offset: wanted = 0, limit = BYTES.usual }: OutputRequest,
): Promise<OutputPart> {
  const range = toOutputRange(job.length[stream], job.outputBytes);
  const offset = toOffset(wanted, range);
  const to = Math.min(range.end, offset + Math.min(Math.max(limit, 0), BYTES.most));
  const bytes = joinPieces(await store.read(job.id, stream, { from: offset, to }), offset);
  const end = offset + bytes.length;
  const nextOffset = end === range.gap?.from ? range.gap.to : end;
  return { offset, bytes, nextOffset, range, ended: isFinal(job.state) };
}

/** A valid offset of a stream; one that counts from the end is after the gap. */
function toOffset(wanted: number, { end, gap }: OutputRange): number {
  const offset = wanted < 0 ? Math.max(end + wanted, gap?.to ?? 0) : wanted;
  const isInGap = gap !== undefined && offset >= gap.from && offset < gap.to;
  if (offset <= end && !isInGap) return offset;
  const nextOffset = isInGap ? gap.to : end;
  const state = isInGap ? "these bytes are not kept" : `the output ends at ${end}`;
  throw new JobError(
    `Cannot read from offset ${offset}: ${state}; the next offset is ${nextOffset}`,
    { code: "BAD_OFFSET", nextOffset },
  );
}

/** The bytes from an offset up to the first gap. */
function joinPieces(pieces: readonly OutputPiece[], from: number): Uint8Array<ArrayBuffer> {
  let end = from;
  const whole = pieces.filter(({ offset, bytes }) => {
    if (offset !== end) return false;
    end += bytes.length;
    return true;
  });
  const result = new Uint8Array(end - from);
  for (const { offset, bytes } of whole) result.set(bytes, offset - from);
  return result;
}

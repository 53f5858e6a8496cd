import type { OutputStream } from "../tool/command.ts";
import type { JobStore, MarkedPlace, OutputPiece, OutputPlace, StoredJob } from "./job_store.ts";
import { JOB_START, type JobEvent } from "../tool/job.ts";
import type { MergedEvent, MergedOutput, MergedRequest } from "../tool/job_service.ts";
import { EventReader } from "./job_events.ts";

/**
 * How many switches between the streams are stored of a run: each of the first ones, and then one for
 * so many bytes.
 */
const SWITCHES = { each: 2_000, most: 10_000, bytes: 256 * 1024 };
/**
 * How far apart the times of output are that are stored, in milliseconds and as a share of the time
 * since the start: so a day takes some 3,000 of them.
 */
const TIMES = { leastMs: 1_000, share: 1 / 500 };

/** Where one stream goes on after the other one, and when the output after a place came. */
export class SwitchLog {
  #last: OutputStream | undefined;
  #places: MarkedPlace[] = [];
  #count = 0;
  #lastBytes = 0;
  #startedAt = Date.now();
  #lastAt = this.#startedAt;

  /** Says when the run began: output of the first second has no time of its own. */
  begin(startedAt: number): void {
    this.#startedAt = startedAt;
    this.#lastAt = startedAt;
  }

  /** Takes the stream of the next piece, the place before it, and when it came. */
  take(stream: OutputStream, place: OutputPlace, at: number = Date.now()): void {
    const isKept = this.#isKeptSwitch(stream, place);
    const pause = Math.max(TIMES.leastMs, (at - this.#startedAt) * TIMES.share);
    if (!isKept && at - this.#lastAt < pause) return;
    this.#lastAt = at;
    this.#places.push({ ...place, at });
  }

  #isKeptSwitch(stream: OutputStream, place: OutputPlace): boolean {
    const isSwitch = this.#last !== undefined && this.#last !== stream;
    this.#last = stream;
    const bytes = place.stdout + place.stderr;
    const isRare = bytes - this.#lastBytes >= SWITCHES.bytes && this.#count < SWITCHES.most;
    if (!isSwitch || !(this.#count < SWITCHES.each || isRare)) return false;
    this.#count++;
    this.#lastBytes = bytes;
    return true;
  }

  /** Returns those that are not stored yet. */
  release(): MarkedPlace[] {
    const places = this.#places;
    this.#places = [];
    return places;
  }
}

/** The bytes of one stream that are not written yet. */
export class StreamBatch {
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

  /** How many bytes were pushed in all. */
  get length(): number {
    return this.#offset + this.#size;
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

const BYTES = { least: 4, usual: 64 * 1024, most: 1024 * 1024 };
const START: OutputPlace = { stdout: 0, stderr: 0 };

/**
 * Reads the output of both streams before a place, in the order in which it was stored; without a
 * place, the end of it. `find()` reads the job again, and rejects if it is gone.
 */
export async function readMerged(
  store: JobStore,
  job: StoredJob,
  { before = job.length, limit = BYTES.usual, find }: MergedRequest & {
    readonly find: () => Promise<StoredJob>;
  },
): Promise<MergedOutput> {
  const end: OutputPlace = {
    stdout: Math.min(before.stdout, job.length.stdout),
    stderr: Math.min(before.stderr, job.length.stderr),
  };
  const marked = end.stdout + end.stderr > 0 ? await store.switches(job.id, START) : [];
  const switches = marked.filter(({ stdout, stderr }) =>
    stdout <= end.stdout && stderr <= end.stderr
  );
  const most = Math.min(Math.max(Math.floor(limit), BYTES.least), BYTES.most);
  let start = placeBefore(switches, end, most);
  const reader = new EventReader(store, find, { ...JOB_START, ...start });
  const timeOf = timesOf(switches, job.startedAt);
  const events: MergedEvent[] = [];
  for await (const event of reader.readOutput(end, { id: job.id, places: switches })) {
    const at = timeOf(event);
    const isFirst = events.every(({ type }) => type !== event.type);
    if (!isFirst || !("bytes" in event)) {
      events.push({ ...event, at });
      continue;
    }
    // The rest of a character whose first bytes belong to the part before.
    const cut = event.offset === start[event.type] ? cutCharacter(event.bytes) : 0;
    if (cut > 0) start = { ...start, [event.type]: event.offset + cut };
    if (cut === event.bytes.length) continue;
    events.push({ ...event, at, offset: event.offset + cut, bytes: event.bytes.subarray(cut) });
  }
  return { events, start, end };
}

/** When output came, by the places before it; events must be asked about in order. */
function timesOf(
  places: readonly MarkedPlace[],
  startedAt: number | undefined,
): (event: JobEvent) => number | undefined {
  let [next, time] = [0, startedAt];
  return (event) => {
    const { stdout, stderr } = placeOf(event);
    for (let place = places[next]; place !== undefined; place = places[++next]) {
      if (place.stdout > stdout || place.stderr > stderr) break;
      time = place.at ?? time;
    }
    return time;
  };
}

/** The place before the bytes of an event. */
function placeOf(event: JobEvent): OutputPlace {
  if (event.type !== "stdout" && event.type !== "stderr") return event.cursor;
  return { ...event.cursor, [event.type]: event.offset };
}

/**
 * The place so many bytes before another one, in the order that the switches say: between two of them
 * stdout comes first.
 */
export function placeBefore(
  switches: readonly OutputPlace[],
  end: OutputPlace,
  bytes: number,
): OutputPlace {
  const before = switches.filter(({ stdout, stderr }) =>
    stdout <= end.stdout && stderr <= end.stderr
  );
  let place = end;
  let left = bytes;
  for (const last of [START, ...before].reverse()) {
    for (const stream of ["stderr", "stdout"] as const) {
      const taken = Math.min(left, place[stream] - last[stream]);
      place = { ...place, [stream]: place[stream] - taken };
      left -= taken;
    }
    if (left === 0) break;
  }
  return place;
}

/** How many bytes at the beginning are the rest of a character in UTF-8: at most 3. */
function cutCharacter(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return first === -1 ? 0 : first;
}

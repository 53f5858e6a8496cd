import { JOB_START, type JobEvent } from "../tool/job.ts";
import type { MergedEvent, MergedOutput, MergedRequest } from "../tool/job_service.ts";
import { EventReader } from "./job_events.ts";
import type { JobStore, MarkedPlace, OutputPlace, StoredJob } from "./job_store.ts";

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

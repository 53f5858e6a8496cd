import { JOB_START, type WatchCursor } from "../tool/job.ts";

/** A position in the events of a job; after the last one nothing follows. */
export interface EventPosition {
  readonly cursor: WatchCursor;
  /** Whether the result or the error has been sent, too. */
  readonly isOver: boolean;
}

const ID = /^(\d{1,15})-(\d{1,15})-(\d{1,15})(-end)?$/;

/** The id of the event before a position. */
export function toEventId({ stdout, stderr, events }: WatchCursor, isOver = false): string {
  return `${stdout}-${stderr}-${events}${isOver ? "-end" : ""}`;
}

/** Reads `Last-Event-ID`; `undefined` if it is none that the server sends. */
export function parseEventId(header: string | null): EventPosition | undefined {
  if (header === null || header === "") return { cursor: JOB_START, isOver: false };
  const match = ID.exec(header);
  if (match === null) return undefined;
  const [stdout = 0, stderr = 0, events = 0] = match.slice(1, 4).map(Number);
  return { cursor: { stdout, stderr, events }, isOver: match[4] !== undefined };
}

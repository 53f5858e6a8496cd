const UNITS: readonly [unit: string, ms: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
];

/** A length of time, in its largest two units: `1 h 3 min`, `4.2 s`, `80 ms`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const index = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[index] ?? ["s", 1_000];
  const [smaller, smallerSize] = UNITS[index + 1] ?? ["s", 1_000];
  const rest = Math.floor((ms % size) / smallerSize);
  return `${Math.floor(ms / size)} ${unit}${rest > 0 ? ` ${rest} ${smaller}` : ""}`;
}

/** The local date and time of an ISO 8601 text; the time alone if it is today. */
export function timeText(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const time = date.toLocaleTimeString([], { hour12: false });
  return date.toDateString() === now.toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}

/** A number of bytes: `512 B`, `1.4 KiB`, `16 MiB`. */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1_024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

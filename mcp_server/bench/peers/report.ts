import type { Outside } from "./probes/bounds.ts";
import type { Capabilities } from "./probes/capabilities.ts";
import type { Everyday } from "./probes/everyday.ts";
import type { Flood } from "./probes/flood.ts";
import { WRITES_TRIED } from "./probes/read_only.ts";
import type { SqliteStop, SqlStops } from "./probes/sql_stops.ts";
import { type End, SHAPES, type Stops } from "./probes/stops.ts";

/** What was measured of the servers of one group; each list is in the order of the names. */
export interface GroupMeasured extends EndsMeasured {
  readonly title: string;
  readonly names: readonly string[];
  /** What the servers call the ways in which they end a call by themselves. */
  readonly ownStops: readonly (string | undefined)[];
  readonly everyday: readonly Everyday[];
  readonly capabilities: readonly Capabilities[];
  readonly floods: readonly Flood[];
}

/** How the calls of a group end; a part is absent if it is not for the group. */
export interface EndsMeasured {
  readonly stops?: readonly Stops[];
  readonly postgres?: readonly SqlStops[];
  readonly sqlite?: readonly SqliteStop[];
  /** The writes that took effect although each server might only read. */
  readonly readOnly?: readonly (readonly string[])[];
}

/** One row of a table: what it is about, and a cell for each server. */
export type TableRow = readonly [what: string, ...cells: string[]];

const MEGABYTE = 1_000_000;

/** The section of a group, with its table. */
export function groupSection(group: GroupMeasured): string {
  const rows: TableRow[] = [
    ...everydayRows(group.everyday),
    ...capabilityRows(group.capabilities),
    ...floodRows(group.floods),
    ...stopRows(group),
    ...sqliteRows(group.sqlite ?? []),
    ...readOnlyRows(group.readOnly ?? []),
  ];
  return `## ${group.title}\n\n${markdownTable([["", ...group.names], ...rows])}`;
}

/** The section of the servers that are limited to a folder. */
export function boundsSection(found: readonly Outside[]): string {
  const rows: TableRow[] = [
    ["reads and writes tried", ...found.map(({ calls }) => `${calls}`)],
    ["read a file outside", ...found.map(({ read }) => `${read}`)],
    ["changed a file outside", ...found.map(({ written }) => `${written}`)],
  ];
  const table = markdownTable([["", ...found.map(({ name }) => name)], ...rows]);
  return `## Files outside of the folder\n\n${table}`;
}

/** A Markdown table, the first row as its head. */
export function markdownTable([head, ...rows]: readonly TableRow[]): string {
  const line = (cells: readonly string[] = []) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head?.map(() => "---")), ...rows.map(line)].join("\n");
}

function everydayRows(everyday: readonly Everyday[]): TableRow[] {
  const [ours] = everyday;
  const row = (what: string, of: (one: Everyday) => string): TableRow => [
    what,
    ...everyday.map(of),
  ];
  return [
    row("tools, and their list", ({ tools, listBytes }) => `${tools}, ${bytesText(listBytes)}`),
    row("tools with all four hints", ({ withAllHints, tools }) => part(withAllHints, tools)),
    row("tools with an output schema", (one) => part(one.withOutputSchema, one.tools)),
    row("start to the list of tools", ({ startMs }) => timeText(startMs)),
    row("a call, p50", ({ callMs }) => timeText(callMs)),
    row("... / trestle", ({ callMs }) => (callMs / (ours?.callMs ?? NaN)).toFixed(2)),
    row("memory after the start", ({ idle }) => mebibytes(idle)),
    row("answers without the output", ({ incomplete, calls }) => part(incomplete, calls)),
    row("memory after calls", ({ after, calls }) => `${mebibytes(after)} after ${calls}`),
  ];
}

function capabilityRows(capabilities: readonly Capabilities[]): TableRow[] {
  const progress = capabilities.map(({ progress }) => progress);
  const modern: TableRow = [
    "speaks MCP 2026-07-28",
    ...capabilities.map(({ modern }) => yesNo(modern)),
  ];
  if (progress.includes(undefined)) return [modern];
  return [modern, ["progress messages for three lines", ...progress.map(String)]];
}

function floodRows(floods: readonly Flood[]): TableRow[] {
  const row = (what: string, of: (flood: Flood) => string): TableRow => [what, ...floods.map(of)];
  return [
    row(
      "flood: the client gets",
      ({ bytes, isError }) =>
        bytes === 0 ? "no answer" : `${isError ? "an error, " : ""}${bytesText(bytes)}`,
    ),
    row(
      "... which says what is missing",
      ({ bytes, saysSo }) => {
        if (bytes === 0) return "n/a";
        return saysSo === undefined ? "it is complete" : yesNo(saysSo);
      },
    ),
    row("... after", ({ ms }) => timeText(ms)),
    row("... most memory", ({ peak }) => mebibytes(peak)),
    row("... the next call is answered", ({ survives }) => yesNo(survives)),
  ];
}

function stopRows({ stops, postgres, ownStops }: GroupMeasured): TableRow[] {
  const cell = (end: End, at: number): string => {
    const query = postgres?.[at]?.[end];
    const shapes = stops?.[at]?.[end];
    if (query !== undefined) return query ? "the query goes on" : "nothing";
    return shapes === undefined ? "n/a" : leftText(shapes);
  };
  const count = stops?.length ?? postgres?.length ?? 0;
  if (count === 0) return [];
  const row = (what: string, of: (at: number) => string): TableRow => [
    what,
    ...Array.from({ length: count }, (_, at) => of(at)),
  ];
  return [
    row("left 5 s after a cancel", (at) => cell("cancel", at)),
    row("left 5 s after the client closed", (at) => cell("close", at)),
    row(
      "left 5 s after its own end of the call",
      (at) => ownStops[at] === undefined ? "it has none" : `${ownStops[at]}: ${cell("own", at)}`,
    ),
  ];
}

function sqliteRows(sqlite: readonly SqliteStop[]): TableRow[] {
  if (sqlite.length === 0) return [];
  return [
    [
      "other calls during a long query",
      ...sqlite.map(({ answersMeanwhile }) => answersMeanwhile ? "are answered" : "wait"),
    ],
    [
      "the query 5 s after a cancel",
      ...sqlite.map(({ goesOn }) => goesOn ? "goes on" : "has ended"),
    ],
  ];
}

function readOnlyRows(readOnly: readonly (readonly string[])[]): TableRow[] {
  if (readOnly.length === 0) return [];
  const cells = readOnly.map(({ length }) => part(length, WRITES_TRIED));
  return [["writes that took effect, read-only", ...cells]];
}

/** The shapes of which processes are left. */
function leftText(shapes: readonly string[]): string {
  if (shapes.length === 0) return "nothing";
  return shapes.length === Object.keys(SHAPES).length ? "all of them" : shapes.join(", ");
}

function bytesText(bytes: number): string {
  if (bytes >= MEGABYTE) return `${(bytes / MEGABYTE).toFixed(1)} MB`;
  return bytes >= 1_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${bytes} bytes`;
}

function timeText(ms: number): string {
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${ms.toFixed(ms < 100 ? 2 : 0)} ms`;
}

function mebibytes(amount: number): string {
  return `${Math.round(amount)} MiB`;
}

function part(some: number, all: number): string {
  return `${some} of ${all}`;
}

function yesNo(value: boolean): string {
  return value ? "yes" : "no";
}

import type { StructuredPatchHunk } from "diff";
import { loadPackage } from "../../shared/environment.ts";

/** How long the shortest difference is looked for. */
const MOST_MS = 200;
/** A line that is longer is shown in part. */
const MOST_LINE_CHARS = 400;
const CONTEXT_LINES = 2;
/** The lines `--- name` and `+++ name`, and the one that says what is left out. */
const HEAD_LINES = 2;

const encoder = new TextEncoder();

/**
 * The difference of two texts in the unified format (GNU diffutils, "Detailed Description of Unified
 * Format") in at most `maxBytes`, whole lines of it; the last one says how many are left out. An empty
 * text if they are the same.
 *
 * @example
 * ```ts
 * import { unifiedDiff } from "@trestle/mcp-server/toolkit";
 *
 * console.log(await unifiedDiff("a.txt", { before: "1\n2\n", after: "1\n3\n", maxBytes: 4_096 }));
 * // --- a.txt
 * // +++ a.txt
 * // @@ -1,2 +1,2 @@
 * //  1
 * // -2
 * // +3
 * ```
 */
export async function unifiedDiff(
  name: string,
  { before, after, maxBytes }: {
    readonly before: string;
    readonly after: string;
    readonly maxBytes: number;
  },
): Promise<string> {
  if (before === after) return "";
  const { structuredPatch } = await loadPackage("diff", () => import("diff/lib/patch/create.js"));
  const patch = structuredPatch(name, name, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: MOST_MS,
  });
  const hunks = (patch?.hunks ?? [wholeHunk(before, after)])
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
      ...lines,
    ]);
  return withinBytes([`--- ${name}`, `+++ ${name}`, ...hunks].map(shortened), maxBytes);
}

/** One hunk from the first line that differs to the last one: true, if not the shortest. */
function wholeHunk(before: string, after: string): StructuredPatchHunk {
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let same = 0;
  while (same < most && old[same] === now[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < most - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++;
  const removed = old.slice(same, old.length - sameAtEnd);
  const added = now.slice(same, now.length - sameAtEnd);
  return {
    oldStart: removed.length === 0 ? same : same + 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? same : same + 1,
    newLines: added.length,
    lines: [
      ...removed.flatMap((line) => marked("-", line)),
      ...added.flatMap((line) => marked("+", line)),
    ],
  };
}

/** The lines of a text with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(sign: "-" | "+", line: string): string[] {
  return line.endsWith("\n")
    ? [sign + line.slice(0, -1)]
    : [sign + line, "\\ No newline at end of file"];
}

/** A hunk of one line is named by its line alone. */
function rangeOf(start: number, lines: number): string {
  return lines === 1 ? `${start}` : `${start},${lines}`;
}

function shortened(line: string): string {
  if (line.length <= MOST_LINE_CHARS) return line;
  return `${line.slice(0, MOST_LINE_CHARS).toWellFormed()}... (${line.length} characters)`;
}

function withinBytes(lines: readonly string[], maxBytes: number): string {
  const sizes = lines.map((line) => encoder.encode(line).length + 1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxBytes) return lines.map((line) => `${line}\n`).join("");
  const rest = `... ${lines.length} more lines\n`.length;
  let [kept, size] = [0, 0];
  while (kept < HEAD_LINES || size + (sizes[kept] ?? 0) + rest <= maxBytes) {
    size += sizes[kept++] ?? 0;
  }
  const shown = lines.slice(0, kept).map((line) => `${line}\n`).join("");
  return `${shown}... ${lines.length - kept} more lines\n`;
}

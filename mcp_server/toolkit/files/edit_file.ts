import { type FileAction, quotePath, systemError, toFileError } from "../../files/file_error.ts";
import { ToolError } from "../../shared/error.ts";
import { constants } from "node:fs";
import { type FileSystem, openRegularFile } from "../../files/file_system.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { decodeUtf8 } from "../../shared/json.ts";
import type { ReadOptions } from "./read_file_part.ts";
import { findWriteTarget, writeTarget } from "./write_whole_file.ts";

/** One replacement of an exact text. */
export interface TextEdit {
  /** The text that is there. */
  readonly old: string;
  /** The text that takes its place. */
  readonly new: string;
  /** Whether every hit is replaced; otherwise there must be one. @default {false} */
  readonly all?: boolean | undefined;
}

/** Where a text is in another one. */
interface Hit {
  readonly start: number;
  readonly end: number;
}

const MOST_LINES_NAMED = 10;

/**
 * Applies edits in order, each to what those before it have made. Line ends stay as they are: a text
 * with LF is also found where lines end with CRLF, and gets the ends of what it replaces. Throws a
 * `ToolError` with the code `NO_MATCH` or `AMBIGUOUS`, which names the edit, counted from 1, and the
 * lines to look at.
 */
export function applyEdits(path: string, text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((now, edit, at) => {
    const refuse = (code: string, state: string) =>
      new ToolError(`Cannot edit ${quotePath(path)}: ${nameOf(at, edits.length)} ${state}`, {
        code,
      });
    return applyEdit(now, edit, refuse);
  }, text);
}

function nameOf(at: number, count: number): string {
  return count === 1 ? '"old"' : `"old" of edit ${at + 1}`;
}

function applyEdit(
  text: string,
  edit: TextEdit,
  refuse: (code: string, state: string) => ToolError,
): string {
  const { old, all = false } = edit;
  if (old === "") throw refuse("NO_MATCH", "is empty; write-file writes a whole file");
  if (old === edit.new) throw refuse("NO_MATCH", 'is the same as "new"; nothing would change');
  // Hits that all get the same text need no places: a million of them would hold up other calls.
  if (all && !hasCrlf(text) && text.includes(old)) return text.replaceAll(old, () => edit.new);
  const hits = hitsOf(text, old, { overlapping: !all });
  if (hits.length === 0) throw refuse("NO_MATCH", `is not there; ${nearestText(text, old)}`);
  if (hits.length > 1 && !all) throw refuse("AMBIGUOUS", whereHitsAre(text, hits));
  const parts: string[] = [];
  let at = 0;
  for (const hit of hits) {
    parts.push(text.slice(at, hit.start), replacementOf(text, hit, edit));
    at = hit.end;
  }
  return parts.join("") + text.slice(at);
}

function hasCrlf(text: string): boolean {
  return text.includes("\r\n");
}

/** Where a text is; if it has no CR, a line end of it is LF or CRLF. */
function hitsOf(text: string, old: string, { overlapping }: { overlapping: boolean }): Hit[] {
  const isExact = old.includes("\r") || !old.includes("\n") || !hasCrlf(text);
  const searched = isExact ? text : text.replaceAll("\r\n", "\n");
  const starts: number[] = [];
  const step = overlapping ? 1 : old.length;
  for (let at = searched.indexOf(old); at !== -1; at = searched.indexOf(old, at + step)) {
    starts.push(at);
  }
  if (isExact) return starts.map((start) => ({ start, end: start + old.length }));
  const toOriginal = withCarriageReturns(text);
  const ends = starts.map((start) => start + old.length);
  // A hit may end behind the start of the next one, so each row of positions has its own reader.
  const toOriginalEnd = withCarriageReturns(text);
  return starts.map((start, at) => ({
    start: toOriginal(start),
    end: toOriginalEnd(ends[at] ?? start),
  }));
}

/** Maps ascending positions in a text without the CR of its CRLF to those in the text. */
function withCarriageReturns(text: string): (position: number) => number {
  let count = 0;
  let next = text.indexOf("\r\n");
  return (position) => {
    while (next !== -1 && next - count < position) {
      count++;
      next = text.indexOf("\r\n", next + 2);
    }
    return position + count;
  };
}

function replacementOf(text: string, hit: Hit, edit: TextEdit): string {
  if (!edit.new.includes("\n") || `${edit.old}${edit.new}`.includes("\r")) return edit.new;
  return endsWithCrlf(text, hit) ? edit.new.replaceAll("\n", "\r\n") : edit.new;
}

/** Whether the first line that a hit touches ends with CRLF; the last line as the one before it. */
function endsWithCrlf(text: string, { start }: Hit): boolean {
  const after = text.indexOf("\n", start);
  const end = after === -1 ? text.lastIndexOf("\n", start) : after;
  return end > 0 && text[end - 1] === "\r";
}

function whereHitsAre(text: string, hits: readonly Hit[]): string {
  const lines = [
    ...new Set(hits.slice(0, MOST_LINES_NAMED).map(({ start }) => lineOf(text, start))),
  ];
  const more = hits.length > MOST_LINES_NAMED ? ", ..." : "";
  const where = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
  return `is there ${hits.length} times, on ${where}; ` +
    'add the lines around the one that is meant, or "all": true';
}

/** The line, counted from 1, in which a position is. */
function lineOf(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) {
    line++;
  }
  return line;
}

/** What is compared at most: a file with more lines, or a longer line, is searched in part. */
const [MOST_LINES, MOST_CHARS] = [50_000, 200];
/** What is shown at most. */
const [MOST_LINES_SHOWN, MOST_CHARS_SHOWN] = [8, 600];
/** Lines that have less in common are not worth a look. */
const LEAST_ALIKE = 0.4;

/** Says where the text is that is most like one that is not there, for an agent that only reads this. */
export function nearestText(text: string, wanted: string): string {
  const lines = text.split(/\r?\n/, MOST_LINES);
  const wantedLines = wanted.split(/\r?\n/);
  const key = indexOfLongest(wantedLines);
  const best = mostAlike(lines, wantedLines[key] ?? "");
  if (best === undefined) return "nothing in the file is like it; read the file first";
  const first = Math.max(0, best - key);
  const found = lines.slice(first, first + Math.min(wantedLines.length, MOST_LINES_SHOWN)).join(
    "\n",
  );
  const why = sameButForSpace(found, wanted) ? ", which differs only in white space" : "";
  return `the nearest is at line ${first + 1}${why}: ` +
    `${JSON.stringify(found.slice(0, MOST_CHARS_SHOWN))}`;
}

/** The longest line is the one that is the most its own. */
function indexOfLongest(lines: readonly string[]): number {
  const lengths = lines.map((line) => line.trim().length);
  return lengths.indexOf(Math.max(...lengths));
}

function sameButForSpace(one: string, other: string): boolean {
  return one.replaceAll(/\s+/g, "") === other.replaceAll(/\s+/g, "");
}

function mostAlike(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted);
  let best: number | undefined;
  let most = LEAST_ALIKE;
  for (const [at, line] of lines.entries()) {
    const alike = likeness(pairs, pairsOf(line));
    if (alike > most) [best, most] = [at, alike];
  }
  return best;
}

/** How often each pair of neighbouring characters is in a line, white space left out. */
function pairsOf(line: string): Map<string, number> {
  const text = line.slice(0, MOST_CHARS).replaceAll(/\s+/g, "");
  const pairs = new Map<string, number>();
  for (let at = 0; at < text.length - 1; at++) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** The Sørensen-Dice coefficient: 1 for the same pairs, 0 for none in common. */
function likeness(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let shared = 0;
  let all = 0;
  for (const [pair, count] of one) {
    shared += Math.min(count, other.get(pair) ?? 0);
    all += count;
  }
  for (const count of other.values()) all += count;
  return all === 0 ? 0 : 2 * shared / all;
}

/** A file before and after its edits. */
export interface EditedFile {
  /** Its path, made absolute. */
  readonly path: string;
  /** Its text before. */
  readonly before: string;
  /** Its text after. */
  readonly after: string;
}

/** What bounds the editing. */
export interface EditOptions extends Omit<ReadOptions, "offset" | "limit"> {
  /** Whether nothing is written. @default {false} */
  readonly dryRun?: boolean | undefined;
}

/**
 * Replaces exact texts in a UTF-8 file, in order, and writes it whole or not at all, as
 * `writeWholeFile()` does; mode, owner, group and line ends stay. Throws a `ToolError` with the code
 * `NO_MATCH` or `AMBIGUOUS` if a text is not there exactly once, `CONFLICT` if somebody else changed
 * the file meanwhile, `NOT_UTF8` or `TOO_LARGE` if it can't be edited so; then the file is as it was.
 *
 * @example
 * ```ts ignore
 * const { caller, signal, user } = extra;
 * const edits = [{ old: "port: 80", new: "port: 8080" }];
 * await editFile("/etc/app.yaml", edits, { maxBytes: 1_000_000, caller, signal, user });
 * ```
 */
export async function editFile(
  path: string,
  edits: readonly TextEdit[],
  options: EditOptions,
): Promise<EditedFile> {
  options.signal.throwIfAborted();
  const file: FileAction = { ...parseFilePath("edit", path), user: options.user };
  try {
    return await withFileSystem(file, options, async (system, path, signal) => {
      const target = await findWriteTarget(system, path);
      if (target.existing === undefined) throw systemError("ENOENT");
      const read = () => readText(system, target.path, file.path, options.maxBytes, signal);
      const before = await read();
      const after = applyEdits(file.path, before, edits);
      if (!after.isWellFormed()) throw halfCharacter(file.path);
      if (options.dryRun === true) return { path: file.path, before, after };
      const ensureUnchanged = async () => {
        if (await read() !== before) throw changedMeanwhile(file.path);
      };
      const bytes = new TextEncoder().encode(after);
      await writeTarget(system, target, bytes, { umask: 0, signal, ensureUnchanged });
      return { path: file.path, before, after };
    });
  } catch (error) {
    throw toFileError(error, file);
  }
}

async function readText(
  system: FileSystem,
  path: string,
  named: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const flags = constants.O_RDONLY;
  await using file = await openRegularFile(system, { action: "edit", path, flags });
  const { size } = await file.stat();
  const bytes = await file.read(maxBytes + 1, 0, size, signal);
  if (bytes.length > maxBytes) {
    throw new ToolError(
      `Cannot edit ${quotePath(named)}: it has ${size} bytes, and at most ${maxBytes} can be ` +
        "edited; use a command such as sed",
      { code: "TOO_LARGE" },
    );
  }
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new ToolError(
    `Cannot edit ${quotePath(named)}: its bytes are not UTF-8; use a command, or read-file and ` +
      'write-file with "encoding": "base64"',
    { code: "NOT_UTF8" },
  );
}

function halfCharacter(path: string): ToolError {
  return new ToolError(
    `Cannot edit ${quotePath(path)}: "new" holds, or "old" leaves, half of a surrogate pair`,
    { code: "INVALID_CONTENT" },
  );
}

function changedMeanwhile(path: string): ToolError {
  return new ToolError(
    `Cannot edit ${
      quotePath(path)
    }: somebody else changed it meanwhile, and nothing was written; ` +
      "read it and try again",
    { code: "CONFLICT" },
  );
}

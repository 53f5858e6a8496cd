import { Buffer } from "node:buffer";
import { constants } from "node:fs";
import { type FileAction, quotePath, toFileError } from "../../files/file_error.ts";
import { type OpenFile, openRegularFile } from "../../files/file_system.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { cutCharacter, decodeUtf8 } from "../../shared/json.ts";
import { ToolError } from "../../shared/error.ts";
import type { ReadOptions } from "./read_file_part.ts";

/** Lines of a file, and where the rest begins. */
export interface FileLines {
  /** The lines with their ends; the first `maxBytes` of a line that is longer. */
  readonly text: string;
  /** The size of the file in bytes. */
  readonly size: number;
  /** The line after the last one, counted from 1; absent if none is left, or if counted from the end. */
  readonly nextLine?: number | undefined;
  /** The byte to continue at, if a line was cut or lines were counted from the end; absent at the end. */
  readonly nextOffset?: number | undefined;
}

/** Which lines are read, and what bounds the reading. */
export interface ReadLinesOptions extends Omit<ReadOptions, "offset" | "limit"> {
  /** The first line, counted from 1; a negative number counts from the end. */
  readonly line: number;
  /** How many lines at most. @default {all, within `maxBytes`} */
  readonly lines?: number | undefined;
}

const LINE_FEED = 10;
const PIECE_BYTES = 256 * 1024;

/** The function that tools use, see `readFileLines()` of `file_functions.ts`. */
export async function readFileLines(path: string, options: ReadLinesOptions): Promise<FileLines> {
  options.signal.throwIfAborted();
  const source: FileAction = { ...parseFilePath("read", path), user: options.user };
  try {
    return await withFileSystem(source, options, async (system, path, signal) => {
      const flags = constants.O_RDONLY;
      await using file = await openRegularFile(system, { action: "read", path, flags });
      return await readLines(file, path, { ...options, signal });
    });
  } catch (error) {
    throw toFileError(error, source);
  }
}

async function readLines(
  file: OpenFile,
  path: string,
  { line, lines = Infinity, maxBytes, signal }: ReadLinesOptions,
): Promise<FileLines> {
  const { size } = await file.stat();
  const start = line < 0
    ? await startFromEnd(file, size, -line, signal)
    : await startOfLine(file, size, line, signal);
  const bytes = await readUpTo(file, size, { start, most: maxBytes + 1, lines, signal });
  const { end, count, isWhole } = wholeLines(bytes, lines, maxBytes);
  const text = decodeUtf8(bytes.subarray(0, end));
  if (text === undefined) throw notText(path, start);
  const next = start + end;
  const isLeft = end < bytes.length || (await file.read(1, next, size)).length > 0;
  if (!isLeft || end === 0) return { text, size };
  return line > 0 && isWhole
    ? { text, size, nextLine: line + count }
    : { text, size, nextOffset: next };
}

/** Where a line starts: behind as many line ends, or the end of the file if it has fewer. */
async function startOfLine(
  file: OpenFile,
  size: number,
  line: number,
  signal: AbortSignal,
): Promise<number> {
  let missing = line - 1;
  for (let at = 0; missing > 0;) {
    signal.throwIfAborted();
    const piece = await file.read(PIECE_BYTES, at, size);
    if (piece.length === 0) return at;
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, end + 1)) {
      if (--missing === 0) return at + end + 1;
    }
    at += piece.length;
  }
  return 0;
}

/** Where the last lines start; a line end at the end of the file begins no further line. */
async function startFromEnd(
  file: OpenFile,
  size: number,
  lines: number,
  signal: AbortSignal,
): Promise<number> {
  let missing = lines;
  for (let to = size; to > 0; to = Math.max(0, to - PIECE_BYTES)) {
    signal.throwIfAborted();
    const from = Math.max(0, to - PIECE_BYTES);
    const piece = await file.read(to - from, from, size);
    let end = lineEndBefore(piece, to === size ? piece.length - 1 : piece.length);
    for (; end !== -1; end = lineEndBefore(piece, end)) {
      if (--missing === 0) return from + end + 1;
    }
  }
  return 0;
}

/** A negative index would count from the end. */
function lineEndBefore(piece: Uint8Array, end: number): number {
  return end <= 0 ? -1 : piece.lastIndexOf(LINE_FEED, end - 1);
}

/** Reads from a position until there are as many lines or bytes, or to the end of the file. */
async function readUpTo(
  file: OpenFile,
  size: number,
  { start, most, lines, signal }: {
    readonly start: number;
    readonly most: number;
    readonly lines: number;
    readonly signal: AbortSignal;
  },
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let missing = lines; total < most && missing > 0;) {
    signal.throwIfAborted();
    const piece = await file.read(Math.min(PIECE_BYTES, most - total), start + total, size);
    if (piece.length === 0) break;
    pieces.push(piece);
    total += piece.length;
    if (missing !== Infinity) missing -= countOf(piece);
  }
  return Buffer.concat(pieces, total);
}

function countOf(piece: Uint8Array): number {
  let count = 0;
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/** How many bytes the lines have that fit; if not even one does, its characters that fit. */
function wholeLines(
  bytes: Uint8Array,
  lines: number,
  maxBytes: number,
): { end: number; count: number; isWhole: boolean } {
  let end = 0;
  let count = 0;
  while (count < lines) {
    const lineEnd = bytes.indexOf(LINE_FEED, end);
    const next = lineEnd === -1 ? bytes.length : lineEnd + 1;
    if (next > maxBytes) break;
    if (next === end) return { end, count, isWhole: true };
    [end, count] = [next, count + 1];
  }
  if (end > 0 || bytes.length === 0) return { end, count, isWhole: true };
  const cut = cutCharacter(bytes, maxBytes)?.start ?? maxBytes;
  return { end: cut, count: 0, isWhole: false };
}

function notText(path: string, start: number): ToolError {
  return new ToolError(
    `Cannot read ${quotePath(path)} by lines from byte ${start}: its bytes are not UTF-8; ` +
      'use "offset", "limit" and "encoding": "base64"',
    { code: "NOT_UTF8" },
  );
}

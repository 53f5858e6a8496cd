import { constants } from "node:fs";
import type { Caller } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, quotePath, toFileError } from "../../files/file_error.ts";
import { type OpenFile, openRegularFile } from "../../files/file_system.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { type CharacterBounds, cutCharacter, decodeUtf8 } from "../../shared/json.ts";
import { ToolError } from "../../shared/error.ts";
import { Buffer } from "node:buffer";

/** A part of a file, and the bytes around it that show whether it cuts a character. */
export interface FilePart {
  /** Absolute path of the file. */
  readonly path: string;
  /** Where the part starts in the file. */
  readonly offset: number;
  /** What was read. */
  readonly bytes: Uint8Array;
  /** Where the part starts in `bytes`. */
  readonly start: number;
  /** Where the part ends in `bytes`. */
  readonly end: number;
  /** Size of the file in bytes; 0 for files of `/proc`. */
  readonly size: number;
}

/** Which part of a file is read, and what bounds the reading. */
export interface ReadOptions {
  /** Byte to start at; past the end of the file the part is empty. @default {0} */
  readonly offset?: number | undefined;
  /** Most bytes to read. @default {all up to the end of the file} */
  readonly limit?: number | undefined;
  /** Most bytes that a part without `limit` may have. */
  readonly maxBytes: number;
  /** Whose rights bound the path: `extra.caller`. @default {a caller that may do everything} */
  readonly caller?: Caller | undefined;
  /** Stops the reading. */
  readonly signal: AbortSignal;
  /** How long the reading may take, in milliseconds. @default {30_000} */
  readonly timeoutMs?: number | undefined;
  /** The user as whom the file is read: `extra.user`. @default {the server's own} */
  readonly user?: RunAsUser | undefined;
}

/** The longest character of UTF-8 has four bytes. */
const CONTEXT = 3;

/**
 * Reads a part of a regular file; files of `/proc`, which report a size of 0, are read to their
 * end. Throws a `ToolError` if the file can't be read, or the rest of it is larger than `maxBytes`;
 * also when its file system hangs until the reading is stopped or its time is over. Throws a
 * `NotAllowedError` if the caller may not use the real path, whether the file exists or not.
 */
export async function readFilePart(path: string, options: ReadOptions): Promise<FilePart> {
  options.signal.throwIfAborted();
  const source: FileAction = { ...parseFilePath("read", path), user: options.user };
  try {
    return await withFileSystem(source, options, async (system, path, signal) => {
      const flags = constants.O_RDONLY;
      await using file = await openRegularFile(system, { action: "read", path, flags });
      return await readPart(file, path, { ...options, signal });
    });
  } catch (error) {
    throw toFileError(error, source);
  }
}

async function readPart(file: OpenFile, path: string, options: ReadOptions): Promise<FilePart> {
  const { offset = 0, limit, maxBytes, signal } = options;
  const { size } = await file.stat();
  if (limit === undefined && size - offset > maxBytes) {
    throw tooLarge(path, `it has ${size} bytes`, maxBytes);
  }
  const from = Math.max(0, offset - CONTEXT);
  const lead = offset - from;
  const length = lead + (limit ?? maxBytes + 1) + CONTEXT;
  const bytes = await file.read(length, from, size, signal);
  const start = Math.min(lead, bytes.length);
  const end = Math.min(lead + (limit ?? Infinity), bytes.length);
  if (limit === undefined && end - start > maxBytes) {
    throw tooLarge(path, `it has more than ${offset + maxBytes} bytes`, maxBytes);
  }
  return { path, offset, bytes, start, end, size };
}

function tooLarge(path: string, state: string, maxBytes: number): ToolError {
  return new ToolError(
    `Cannot read ${quotePath(path)} at once: ${state}, and one call reads at most ${maxBytes}; ` +
      'use "offset" and "limit"',
    { code: "TOO_LARGE" },
  );
}

/**
 * The text of a part of a file, lossless: byte order marks stay, and bytes that are not UTF-8 throw
 * a `ToolError`. A character that the end of the part cuts is left for the next part; one that its
 * start cuts throws an error that names the offset to read from, so that nothing is skipped.
 */
export function textOfPart(part: FilePart): string {
  const { bytes, start, end } = part;
  const head = cutCharacter(bytes, start);
  if (head !== undefined) throw startsInside(part, head);
  const tail = cutCharacter(bytes, end);
  if (tail?.start === start) throw limitTooSmall(part, tail);
  const text = decodeUtf8(bytes.subarray(start, tail?.start ?? end));
  if (text === undefined) throw notText(part);
  return text;
}

function startsInside({ path, offset, start }: FilePart, character: CharacterBounds): ToolError {
  const boundary = offset - (start - character.start);
  return new ToolError(
    `Cannot read ${
      quotePath(path)
    } from offset ${offset}: a character starts at ${boundary} and goes on ` +
      `there; use "offset": ${boundary}`,
    { code: "SPLIT_CHARACTER" },
  );
}

function limitTooSmall({ path, start, end }: FilePart, character: CharacterBounds): ToolError {
  const length = character.end - character.start;
  return new ToolError(
    `Cannot read ${end - start} bytes of ${quotePath(path)}: the next character has ${length}; ` +
      `use "limit": ${length} or more`,
    { code: "SPLIT_CHARACTER" },
  );
}

function notText({ path }: FilePart): ToolError {
  return new ToolError(
    `Cannot read ${quotePath(path)} as text: its bytes are not UTF-8; use "encoding": "base64"`,
    { code: "NOT_UTF8" },
  );
}

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

/**
 * Reads whole lines of a UTF-8 file, as many as fit into `maxBytes`. Nothing is left out silently: what
 * is left is named by `nextLine` or `nextOffset`. Past the last line there is no text. Rejects as
 * `readFilePart()` does.
 *
 * @example
 * ```ts ignore
 * const { caller, signal, user } = extra;
 * const { text } = await readFileLines("/var/log/syslog", {
 *   line: -20,
 *   maxBytes: 32_768,
 *   caller,
 *   signal,
 *   user,
 * });
 * ```
 */
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
  if (text === undefined) throw notTextAfter(path, start);
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

function notTextAfter(path: string, start: number): ToolError {
  return new ToolError(
    `Cannot read ${quotePath(path)} by lines from byte ${start}: its bytes are not UTF-8; ` +
      'use "offset", "limit" and "encoding": "base64"',
    { code: "NOT_UTF8" },
  );
}

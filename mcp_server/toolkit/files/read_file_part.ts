import { constants } from "node:fs";
import type { Caller } from "../../access/caller.ts";
import type { RunAsUser } from "../../access/run_as.ts";
import { type FileAction, quotePath, toFileError } from "../../files/file_error.ts";
import { type OpenFile, openRegularFile } from "../../files/file_system.ts";
import { parseFilePath, withFileSystem } from "../../files/with_file_system.ts";
import { ToolError } from "../../shared/error.ts";

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

/** The function that tools use, see `readFilePart()` of `file_functions.ts`. */
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

import { constants, type Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { within } from "./concurrency.ts";

/** An open file that lines are appended to. */
export interface AppendFile {
  readonly file: Deno.FsFile;
  /** Whether its last line lacks a line end, because a crash or a full disk cut it off. */
  cutLine: boolean;
}

/** How long opening the file may take. */
const OPEN_MS = 10_000;
const LINE_END = 0x0a;

/**
 * Opens a file to append to, and creates it if it is missing. Only its owner can read it: a regular
 * file gets mode 0600; the mode of a device or pipe is not changed. Never waits for the reader of a
 * FIFO. Rejects with the system's error, or with a `RangeError` for what can't be appended to.
 */
export async function openToAppend(path: string): Promise<AppendFile> {
  const opening = openNow(path);
  if (await within(opening, OPEN_MS)) return await opening;
  opening.then(({ file }) => file.close(), () => {});
  throw new RangeError(`Cannot append to the file: it was not opened within ${OPEN_MS / 1_000} s`);
}

async function openNow(path: string): Promise<AppendFile> {
  ensureAppendable(await stat(path).catch(() => undefined));
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  await using handle = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
    .catch(throwReadable);
  const stats = await handle.stat();
  ensureAppendable(stats);
  if (stats.isFile() && (stats.mode & 0o077) !== 0) await handle.chmod(0o600);
  const file = await Deno.open(path, { append: true });
  return { file, cutLine: stats.isFile() && await endsInsideLine(path, stats.size) };
}

function ensureAppendable(stats: Stats | undefined): void {
  if (stats?.isDirectory()) throw new RangeError("Cannot append to a folder: name a file");
  if (stats?.isSocket()) throw new RangeError("Cannot append to a socket: name a file or a FIFO");
  if (stats?.isBlockDevice()) throw new RangeError("Cannot append to a block device: name a file");
}

function throwReadable(error: Error & { code?: unknown }): never {
  if (error.code !== "ENXIO") throw error;
  throw new RangeError("Cannot append to a FIFO that nobody reads: start its reader first", {
    cause: error,
  });
}

async function endsInsideLine(path: string, size: number): Promise<boolean> {
  if (size === 0) return false;
  try {
    using file = await Deno.open(path);
    await file.seek(size - 1, Deno.SeekMode.Start);
    const last = new Uint8Array(1);
    return await file.read(last) === 1 && last[0] !== LINE_END;
  } catch {
    return false; // A file that may be appended to need not be readable.
  }
}

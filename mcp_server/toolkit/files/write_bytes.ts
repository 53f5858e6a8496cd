import type { FileHandle } from "node:fs/promises";

const PIECE = 1024 * 1024;

/** Writes all bytes from a position of the file on; stops between two pieces when aborted. */
export async function writeBytes(
  file: FileHandle,
  bytes: Uint8Array,
  options: { position: number; signal?: AbortSignal },
): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    options.signal?.throwIfAborted();
    const length = Math.min(PIECE, bytes.length - written);
    const answer = await file.write(bytes, written, length, options.position + written);
    written += answer.bytesWritten;
  }
}

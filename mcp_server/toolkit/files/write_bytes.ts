import type { OpenFile } from "./file_system/file_system.ts";

const PIECE = 1024 * 1024;

/** Writes all bytes from a position of the file on; stops between two pieces when aborted. */
export async function writeBytes(
  file: OpenFile,
  bytes: Uint8Array,
  options: { position: number; signal?: AbortSignal },
): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    options.signal?.throwIfAborted();
    const piece = bytes.subarray(written, written + PIECE);
    written += await file.write(piece, options.position + written);
  }
}

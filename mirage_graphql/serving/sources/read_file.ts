import { readFile as readBytes } from "node:fs/promises";
import { ServeError, toServeError } from "../serve_error.ts";

/** A file, or the response of a URL. */
export interface ReadFile {
  /** Path or URL, for messages. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a text file; a byte order mark, which some editors write, is removed.
 *
 * @throws {ServeError} If it can't be read, or is not UTF-8.
 */
export async function readFile(path: string): Promise<ReadFile> {
  try {
    const bytes = await readBytes(path);
    return { path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (cause) {
    const reason = cause instanceof TypeError
      ? "it is not UTF-8"
      : isMissing(cause)
      ? "No such file"
      : reasonOf(cause);
    throw toServeError(path, [new ServeError(`Cannot read the file: ${reason}`, { cause })]);
  }
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

/** The message of anything that was thrown. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

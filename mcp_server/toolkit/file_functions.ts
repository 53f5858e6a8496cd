import { quotePath } from "../files/file_error.ts";
import { ToolError } from "../shared/error.ts";
import { type CharacterBounds, cutCharacter, decodeUtf8, exactBase64 } from "../shared/json.ts";
import { lateModule } from "../shared/concurrency.ts";
import type { EditedFile, EditOptions, TextEdit } from "./files/edit_file.ts";
import type { FileLines, ReadLinesOptions } from "./files/read_file_lines.ts";
import type { FilePart, ReadOptions } from "./files/read_file_part.ts";
import type { FoundFiles, FoundLines, ListOptions, SearchOptions } from "./files/search_files.ts";
import type { WriteOptions } from "./files/write_whole_file.ts";

// A tool that works on no file needs none of the modules that do, which take longer to load than it.
const readPart = lateModule<typeof import("./files/read_file_part.ts")>(
  import.meta.resolve("./files/read_file_part.ts"),
);
const readLines = lateModule<typeof import("./files/read_file_lines.ts")>(
  import.meta.resolve("./files/read_file_lines.ts"),
);
const walk = lateModule<typeof import("./files/search_files.ts")>(
  import.meta.resolve("./files/search_files.ts"),
);
const write = lateModule<typeof import("./files/write_whole_file.ts")>(
  import.meta.resolve("./files/write_whole_file.ts"),
);
const append = lateModule<typeof import("./files/append_file.ts")>(
  import.meta.resolve("./files/append_file.ts"),
);
const edit = lateModule<typeof import("./files/edit_file.ts")>(
  import.meta.resolve("./files/edit_file.ts"),
);

/**
 * Reads a part of a regular file; files of `/proc`, which report a size of 0, are read to their
 * end. Throws a `ToolError` if the file can't be read, or the rest of it is larger than `maxBytes`;
 * also when its file system hangs until the reading is stopped or its time is over. Throws a
 * `NotAllowedError` if the caller may not use the real path, whether the file exists or not.
 */
export async function readFilePart(path: string, options: ReadOptions): Promise<FilePart> {
  return await (await readPart()).readFilePart(path, options);
}

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
  return await (await readLines()).readFileLines(path, options);
}

/**
 * Searches a file, or the files below a folder, for lines that match, in the order of their paths.
 * Files with a NUL are left out, as are `.git`, what can't be read, and what is behind a link. Bytes
 * that are not UTF-8 are U+FFFD. Throws a `ToolError` with the code `BAD_PATTERN` for a wrong pattern or
 * glob, and rejects as `readFilePart()` does if the path itself can't be read.
 *
 * @example
 * ```ts ignore
 * const { caller, signal, user } = extra;
 * const bounds = { limit: 100, maxText: 32_768, caller, signal, user };
 * const { matches } = await searchFiles("/srv/app", { pattern: "TODO", glob: "*.ts", ...bounds });
 * ```
 */
export async function searchFiles(path: string, options: SearchOptions): Promise<FoundLines> {
  return await (await walk()).searchFiles(path, options);
}

/**
 * Lists what is below a folder, in the order of the paths, and counts what does not fit. Leaves out
 * `.git` and what the caller may not use; does not follow links. Rejects as `searchFiles()` does.
 *
 * @example
 * ```ts ignore
 * const { caller, signal, user } = extra;
 * const bounds = { limit: 100, maxText: 32_768, caller, signal, user };
 * const { entries, more } = await listFiles("/srv/app", { depth: 2, ...bounds });
 * ```
 */
export async function listFiles(path: string, options: ListOptions): Promise<FoundFiles> {
  return await (await walk()).listFiles(path, options);
}

/**
 * Writes a file whole or not at all: the target of the path is always the old or the new content,
 * and a failure leaves no trace; only a killed process may leave its temporary file in the folder,
 * `.write-*.tmp`, which nobody else can read. Mode, owner and group of an existing file are kept;
 * access control lists and extended attributes are not. A file with several names (hard links) is
 * written in place, so that a crash may leave it half written. When the file system hangs, the call
 * rejects once it is stopped or its time is over; if it hangs in the very last step, the new content
 * may still come. Resolves with the path, made absolute. Rejects with a `NotAllowedError` if the
 * caller may not use the real path.
 */
export async function writeWholeFile(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  return await (await write()).writeWholeFile(path, bytes, options);
}

/**
 * Adds bytes to the end of a file, with one system call, so that what several programs append to it
 * is not mixed; creates the file if there is none. Mode, owner and group stay unless given. If the
 * disk is full, the file is as it was, unless another program has appended something meanwhile.
 * Writes of `writeWholeFile()` and `editFile()` to the same path take turns with it. Resolves with the
 * path, made absolute. Rejects with a `NotAllowedError` if the caller may not use the real path.
 */
export async function appendToFile(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  return await (await append()).appendToFile(path, bytes, options);
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
  return await (await edit()).editFile(path, edits, options);
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

/** How the content of a file is encoded in a JSON string. */
export type Encoding = "utf8" | "base64";

/**
 * Decodes a string to bytes. Throws a `ToolError` if it has no exact bytes: half a surrogate pair,
 * or base64 other than that of RFC 4648, section 4, with padding and without line breaks.
 */
export function parseFileContent(content: string, encoding: Encoding): Uint8Array {
  if (encoding === "base64") {
    const bytes = exactBase64(content);
    if (bytes !== undefined) return bytes;
    throw invalid(
      'Cannot decode "content": it is not base64 of the standard alphabet, padded and on one line',
    );
  }
  if (content.isWellFormed()) return new TextEncoder().encode(content);
  throw invalid(
    'Cannot encode "content": it holds half of a surrogate pair; send the bytes as base64',
  );
}

function invalid(message: string): ToolError {
  return new ToolError(message, { code: "INVALID_CONTENT" });
}

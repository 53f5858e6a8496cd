import { constants } from "node:fs";
import {
  type FileAction,
  parseFilePath,
  quotePath,
  systemError,
  toFileError,
} from "../../files/file_error.ts";
import { type FileSystem, openRegularFile } from "../../files/file_system.ts";
import { withFileSystem } from "../../files/with_file_system.ts";
import { decodeUtf8 } from "../../shared/json.ts";
import { ToolError } from "../../shared/error.ts";
import type { ReadOptions } from "./read_file_part.ts";
import { applyEdits, type TextEdit } from "./text_edits.ts";
import { findWriteTarget, writeTarget } from "./write_whole_file.ts";

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

/** The function that tools use, see `editFile()` of `file_functions.ts`. */
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

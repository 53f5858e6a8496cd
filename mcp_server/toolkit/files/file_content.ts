import { quotePath } from "../../files/file_error.ts";
import { ToolError } from "../../shared/error.ts";
import { type CharacterBounds, cutCharacter, decodeUtf8, exactBase64 } from "../../shared/json.ts";

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

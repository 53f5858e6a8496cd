import { ToolError } from "../../domain/error.ts";
import { quote } from "./file_error.ts";
import type { FilePart } from "./read_file_part.ts";

/**
 * The text of a part of a file, lossless: byte order marks stay, and bytes that are not UTF-8 throw
 * a `ToolError`. A character that the end of the part cuts is left for the next part; one that its
 * start cuts throws an error that names the offset to read from, so that nothing is passed over.
 */
export function textOfPart(part: FilePart): string {
  const { bytes, start, end } = part;
  const head = cutCharacter(bytes, start);
  if (head !== undefined) throw startsInside(part, head);
  const tail = cutCharacter(bytes, end);
  if (tail?.start === start) throw limitTooSmall(part, tail);
  const text = decode(bytes.subarray(start, tail?.start ?? end));
  if (text === undefined) throw notText(part);
  return text;
}

/** Where a character starts and ends. */
interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** The character that an index cuts in two, or `undefined` where it cuts none. */
function cutCharacter(bytes: Uint8Array, index: number): Bounds | undefined {
  for (let start = index - 1; start >= Math.max(0, index - 3); start--) {
    const end = start + sequenceLength(bytes[start] ?? 0);
    if (end > index && decode(bytes.subarray(start, end)) !== undefined) return { start, end };
  }
  return undefined;
}

/** How many bytes the character has that starts with this byte (RFC 3629, section 3). */
function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function startsInside({ path, offset, start }: FilePart, character: Bounds): ToolError {
  const boundary = offset - (start - character.start);
  return new ToolError(
    `Cannot read ${
      quote(path)
    } from offset ${offset}: a character starts at ${boundary} and goes on ` +
      `there; use "offset": ${boundary}`,
    { code: "SPLIT_CHARACTER" },
  );
}

function limitTooSmall({ path, start, end }: FilePart, character: Bounds): ToolError {
  const length = character.end - character.start;
  return new ToolError(
    `Cannot read ${end - start} bytes of ${quote(path)}: the next character has ${length}; ` +
      `use "limit": ${length} or more`,
    { code: "SPLIT_CHARACTER" },
  );
}

function notText({ path }: FilePart): ToolError {
  return new ToolError(
    `Cannot read ${quote(path)} as text: its bytes are not UTF-8; use "encoding": "base64"`,
    { code: "NOT_UTF8" },
  );
}

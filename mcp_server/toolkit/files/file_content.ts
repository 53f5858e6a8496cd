import { ToolError } from "../../shared/error.ts";
import { exactBase64 } from "../../shared/bytes.ts";

/** How the content of a file is encoded in a JSON string. */
export type Encoding = "utf8" | "base64";

/**
 * Decodes a string to bytes. Throws a `ToolError` if it has no exact bytes: half a surrogate pair,
 * or base64 other than that of RFC 4648, section 4, with padding and without line breaks.
 */
export function parseFileContent(content: string, encoding: Encoding): Uint8Array {
  return encoding === "base64" ? parseBase64(content) : parseText(content);
}

function parseText(content: string): Uint8Array {
  if (content.isWellFormed()) return new TextEncoder().encode(content);
  throw new ToolError(
    'Cannot encode "content": it holds half of a surrogate pair; send the bytes as base64',
    { code: "INVALID_CONTENT" },
  );
}

function parseBase64(content: string): Uint8Array {
  const bytes = exactBase64(content);
  if (bytes !== undefined) return bytes;
  throw new ToolError(
    'Cannot decode "content": it is not base64 of the standard alphabet, padded and on one line',
    { code: "INVALID_CONTENT" },
  );
}

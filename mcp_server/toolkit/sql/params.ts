import { exactBase64 } from "../../shared/bytes.ts";
import { QueryRefusal } from "./sql_session.ts";

/**
 * Checks that each number is the one that was sent: JSON readers round whole numbers from 2^53 on,
 * also those within arrays and objects. Throws a `QueryRefusal` if one is not.
 */
export function requireExactNumbers(params: readonly unknown[]): void {
  for (const [at, param] of params.entries()) {
    const rounded = findRounded(param);
    if (rounded === undefined) continue;
    throw new QueryRefusal(
      "INVALID_NUMBER",
      `Cannot send parameter ${at + 1}: a number of it was read as ${rounded}, ` +
        "and whole numbers from 2^53 on are not exact in JSON; send it as text",
    );
  }
}

/** Reads without recursion, because a request may be nested deeper than the stack. */
function findRounded(param: unknown): number | undefined {
  const left = [param];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return value;
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value;
    } else if (typeof value === "object" && value !== null) {
      for (const inner of Object.values(value)) left.push(inner);
    }
  }
  return undefined;
}

/** The only key of an object that stands for bytes. */
const BYTES = "base64";

/**
 * The bytes of a parameter of the form `{ "base64": "AP8=" }`; `undefined` if it has another form.
 * Throws a `QueryRefusal` if the text is not base64 (RFC 4648, section 4).
 */
export function bytesOfParam(value: unknown): Uint8Array | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const [[key, text] = [], ...others] = Object.entries(value);
  if (key !== BYTES || typeof text !== "string" || others.length > 0) return undefined;
  const bytes = exactBase64(text);
  if (bytes !== undefined) return bytes;
  throw new QueryRefusal(
    "INVALID_BASE64",
    'Cannot send "base64" as bytes: it is not base64 of the standard alphabet, padded and on one ' +
      "line; JSON of this form is sent as its text",
  );
}

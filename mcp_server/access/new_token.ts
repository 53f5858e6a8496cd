import { createHash } from "node:crypto";
import { faultOfName } from "./parse_callers.ts";

/** A token, and what the callers file says about its owner. */
export interface NewToken {
  readonly token: string;
  /** A line of the object `callers`: a key with its value as JSON. */
  readonly line: string;
}

/** Enough that nobody guesses it: 256 bits. */
const BYTES = 32;

/**
 * Creates a random token for a caller who may do nothing yet. Throws a `RangeError` if no
 * caller can have the name.
 */
export function createToken(name: string): NewToken {
  const fault = faultOfName(name);
  if (fault !== undefined) throw new RangeError(`Cannot create a token: ${fault}`);
  const token = crypto.getRandomValues(new Uint8Array(BYTES)).toHex();
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  const entry = `{ "tokenSha256": ${JSON.stringify(tokenSha256)}, "tools": [] }`;
  return { token, line: `${JSON.stringify(name)}: ${entry}` };
}

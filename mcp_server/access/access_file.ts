import { quote } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** A file of callers or secrets that can't be used; its message repeats no secret of the file. */
export class AccessFileError extends Error {
  /** Name of the error class. */
  override readonly name: string = "AccessFileError";
  /** The end of a sentence that begins with the file. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`Cannot use the file: ${reason}`, options);
    this.reason = reason;
  }
}

/** Creates the error from the end of its sentence. */
export function unusable(reason: string, cause?: unknown): AccessFileError {
  return new AccessFileError(reason, cause === undefined ? undefined : { cause });
}

/**
 * Reads the object of the only key of a JSON text. Throws an {@linkcode AccessFileError} if the text
 * is not JSON, has a key twice, or has any other key beside that one.
 */
export function parseAccessFile(text: string, only: string): JsonObject {
  const file = parseJson(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined) throw unusable(`it has the key ${quote(twice)} twice`);
  const unknown = isJsonObject(file) && Object.keys(file).find((key) => key !== only);
  if (typeof unknown === "string") {
    throw unusable(`it has an unknown key ${quote(unknown)}; its only key is "${only}"`);
  }
  const found = isJsonObject(file) ? file[only] : undefined;
  if (isJsonObject(found)) return found;
  throw unusable(`it must be {"${only}": {...}}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of the system repeats parts of the file.
    throw unusable("it is not JSON");
  }
}

/** A member of an object in JSON text, up to its colon, or the bounds of an object. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*(:?)|[{}]/g;

/** Finds a key that an object of valid JSON text has twice; `JSON.parse()` keeps only the last. */
export function findDuplicateKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, text = "", colon] of json.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    if (colon !== ":") continue;
    const key: string = JSON.parse(text);
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return undefined;
}

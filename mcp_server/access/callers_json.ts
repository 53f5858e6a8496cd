import { quote } from "../shared/error.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";

/** A callers file that can't be used; its message repeats no secret of the file. */
export class CallersFileError extends Error {
  /** Name of the error class. */
  override readonly name: string = "CallersFileError";
  /** The end of a sentence that begins with the file. */
  readonly reason: string;

  /** Takes the end of a sentence, such as `it is not JSON`. */
  constructor(reason: string, options?: ErrorOptions) {
    super(`Cannot use the callers file: ${reason}`, options);
    this.reason = reason;
  }
}

/** Creates the error from the end of its sentence. */
export function unusable(reason: string, cause?: unknown): CallersFileError {
  return new CallersFileError(reason, cause === undefined ? undefined : { cause });
}

/**
 * Reads the object `callers` of a callers file. Throws a {@linkcode CallersFileError} if the text is
 * not JSON, has a key twice, or has any other key beside `callers`.
 */
export function parseCallersJson(text: string): JsonObject {
  const file = parseJson(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined) throw unusable(`it has the key ${quote(twice)} twice`);
  const unknown = isJsonObject(file) && Object.keys(file).find((key) => key !== "callers");
  if (typeof unknown === "string") {
    throw unusable(`it has an unknown key ${quote(unknown)}; its only key is "callers"`);
  }
  if (isJsonObject(file) && isJsonObject(file.callers)) return file.callers;
  throw unusable('it must be {"callers": {...}}');
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

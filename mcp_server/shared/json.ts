/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; a tool's output and a JSON Schema have this shape. */
export interface JsonObject {
  /** The value of a key. */
  [key: string]: JsonValue | undefined;
}

/** Whether a value is a JSON object, and not an array, `null` or anything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object without the keys that have no value, as its JSON text has them. */
export function withoutUnset<Value extends object>(value: Value): Value {
  const set = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(set) as Value;
}

// What JSON.stringify() escapes (ECMA-262, QuoteJSONString), except for lone surrogates.
// deno-lint-ignore no-control-regex -- control characters are escaped
const ESCAPED = /["\\\x00-\x1f]/;

/** How many characters a code unit below 256 takes inside a JSON string. */
const LENGTHS = Uint8Array.from({ length: 0x100 }, (_, code) => {
  return JSON.stringify(String.fromCharCode(code)).length - 2;
});

/** How many characters a text takes inside a JSON string, without the quotes. */
export function jsonTextLength(text: string): number {
  if (!text.isWellFormed()) return 6 * text.length;
  if (!ESCAPED.test(text)) return text.length;
  let length = 0;
  for (let at = 0; at < text.length; at++) length += lengthOf(text.charCodeAt(at));
  return length;
}

/** The longest beginning of a text that takes at most `most` characters inside a JSON string. */
export function jsonTextStart(text: string, most: number): string {
  if (6 * text.length <= most || jsonTextLength(text) <= most) return text;
  let end = 0;
  for (let left = most; end < text.length; end++) {
    left -= lengthOf(text.charCodeAt(end));
    if (left < 0) break;
  }
  return withoutHalf(text.slice(0, end));
}

/** Removes the first half of a surrogate pair from the end of a text. */
function withoutHalf(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

/** The most characters of JSON that a byte of UTF-8 text can take. */
export function jsonByteLength(byte: number): number {
  return lengthOf(byte);
}

function lengthOf(code: number): number {
  return LENGTHS[code] ?? 1;
}

/**
 * Whether a value takes at most `most` characters as JSON text. Characters are counted one by one
 * only if the value might not fit with every character escaped. Throws if a value is a `bigint`,
 * which JSON can't carry.
 */
export function fitsJson(value: unknown, most: number): boolean {
  return longestJson(value, most) <= most || jsonLength(value, most) <= most;
}

/**
 * The length of a value as JSON text if every code unit were escaped. Stops counting beyond `most`.
 */
function longestJson(value: unknown, most: number): number {
  if (typeof value === "string") return 6 * value.length + 2;
  if (typeof value === "bigint") throw notJson(value);
  if (typeof value !== "object" || value === null) return 25; // A number takes 24 at most.
  let length = 2;
  for (const key in value) {
    length += 6 * key.length + 4 + longestJson(Reflect.get(value, key), most - length);
    if (length > most) return length;
  }
  return length;
}

/**
 * The length of a value as JSON text. Stops counting beyond `most`, so that a value that is too
 * large costs no more than one that fits.
 */
export function jsonLength(value: unknown, most: number = Infinity): number {
  if (typeof value === "string") return jsonTextLength(value) + 2;
  if (Array.isArray(value)) return sumOf(value.map((entry) => [0, entry]), most);
  if (isJsonObject(value)) {
    return sumOf(
      Object.entries(value).map(([key, entry]) => [jsonTextLength(key) + 3, entry]),
      most,
    );
  }
  if (typeof value === "bigint") throw notJson(value);
  return String(value).length;
}

function notJson(value: bigint): TypeError {
  return new TypeError(
    `Cannot write "${value}" as JSON: it is a bigint; convert it to a string or a number`,
  );
}

/** Brackets, and for each entry its key and a comma. */
function sumOf(entries: readonly [keyLength: number, value: unknown][], most: number): number {
  let length = 2;
  for (const [keyLength, value] of entries) {
    if (value === undefined) continue;
    length += keyLength + jsonLength(value, most - length) + 1;
    if (length > most) return length;
  }
  return length;
}

/** What values take in V8 without their parts, in bytes. */
const MEMORY = { array: 48, object: 64, key: 32, text: 24, other: 16 };

/**
 * About the most memory that a JSON value takes, in bytes: a character two, an empty list fifty.
 * Stops counting beyond `most`.
 */
export function jsonMemory(value: unknown, most: number = Infinity): number {
  let bytes = 0;
  const left = [value];
  while (left.length > 0 && bytes <= most) {
    const next = left.pop();
    if (typeof next === "string") bytes += MEMORY.text + 2 * next.length;
    else if (Array.isArray(next)) {
      bytes += MEMORY.array;
      for (const entry of next) left.push(entry);
    } else if (isJsonObject(next)) {
      bytes += MEMORY.object;
      for (const [key, entry] of Object.entries(next)) {
        bytes += MEMORY.key + 2 * key.length;
        left.push(entry);
      }
    } else bytes += MEMORY.other;
  }
  return bytes;
}

/**
 * Whether a value holds at most `most` values, itself included and at any depth: few enough to
 * report what is wrong with each quickly. Looks at no more than that.
 */
export function holdsFew(value: unknown, most: number): boolean {
  return countValues(value, most) <= most;
}

function countValues(value: unknown, most: number): number {
  let count = 1;
  if (typeof value !== "object" || value === null) return count;
  for (const key in value) {
    if (count > most) break;
    count += countValues(Reflect.get(value, key), most - count);
  }
  return count;
}

/** Whether a JSON value has lists or objects in more levels than `most`. */
export function nestsDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return most === 0 || Object.values(value).some((entry) => nestsDeeper(entry, most - 1));
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes, or `undefined` if they are not UTF-8; byte order marks stay. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Where a character starts and ends. */
export interface CharacterBounds {
  /** Index of its first byte. */
  readonly start: number;
  /** Index after its last byte. */
  readonly end: number;
}

/** The character that an index cuts in two, or `undefined` if it cuts none. */
export function cutCharacter(bytes: Uint8Array, index: number): CharacterBounds | undefined {
  for (let start = index - 1; start >= Math.max(0, index - 3); start--) {
    const end = start + lengthOfCharacter(bytes[start] ?? 0);
    if (end > index && decodeUtf8(bytes.subarray(start, end)) !== undefined) return { start, end };
  }
  return undefined;
}

/** Removes the start of a character whose end is beyond the cut (RFC 3629, section 3). */
export function withoutCutEnd(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(-3).findLastIndex((byte) => !isContinuation(byte));
  if (start === -1) return bytes;
  const present = Math.min(3, bytes.length) - start;
  const lead = bytes.at(-present) ?? 0;
  return lengthOfCharacter(lead) > present ? bytes.subarray(0, -present) : bytes;
}

/** Removes the end of a character that starts before the cut. */
export function withoutCutStart(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

/** How many bytes the character has that starts with this byte (RFC 3629, section 3). */
function lengthOfCharacter(lead: number): number {
  if (lead >= 0b1111_1000) return 1;
  if (lead >= 0b1111_0000) return 4;
  if (lead >= 0b1110_0000) return 3;
  return lead >= 0b1100_0000 ? 2 : 1;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a text in base64 (RFC 4648, section 4), with padding and without line breaks;
 * `undefined` if it has another form.
 */
export function exactBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    if (BASE64.test(text)) return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    // The padding is wrong.
  }
  return undefined;
}

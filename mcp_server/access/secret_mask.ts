import type { Secrets } from "./parse_secrets.ts";

/** A form in which a value may appear in an output, as UTF-8. */
interface Needle {
  readonly bytes: Uint8Array;
  /** What is shown in its place. */
  readonly shown: Uint8Array;
}

/** An occurrence of a needle. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly shown: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Replaces the values of secrets by their names, in brackets. Values that overlap are replaced
 * together, so that no part of one is left; of one within another, only the outer one is named.
 */
export class SecretMask {
  readonly #search: NeedleSearch;

  /** Takes at least one secret. */
  constructor(secrets: Secrets) {
    this.#search = new NeedleSearch(toNeedles(secrets));
  }

  /** Masks a text; one without a value is returned as it is. */
  text(text: string): string {
    if (3 * text.length < this.#search.shortest) return text;
    const bytes = encoder.encode(text);
    const masked = this.bytes(bytes);
    return masked === bytes ? text : decoder.decode(masked);
  }

  /** Masks bytes; those without a value are returned as they are. */
  bytes(bytes: Uint8Array): Uint8Array {
    return new MaskStream(this.#search).end(bytes);
  }

  /**
   * Masks every text of a value of JSON, and keys too; a number with the digits of a value becomes a text.
   * What has no value stays the same object.
   */
  json<Value>(value: Value): Value {
    // Each text becomes a text, and everything else what it was, but numbers that must not be shown.
    return this.#json(value) as Value;
  }

  /** Masks a stream whose pieces may be cut anywhere, also within a value. */
  stream(): MaskStream {
    return new MaskStream(this.#search);
  }

  #json(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#number(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#json(item));
      return items.every((item, at) => item === value[at]) ? value : items;
    }
    const before = Object.entries(value);
    const after = before.map(([key, item]) => [this.text(key), this.#json(item)] as const);
    const isSame = after.every(([key, item], at) =>
      key === before[at]?.[0] && item === before[at][1]
    );
    return isSame ? value : Object.fromEntries(after);
  }

  #number(value: number): number | string {
    const text = String(value);
    const masked = this.text(text);
    return masked === text ? value : masked;
  }
}

/**
 * The masked form of a stream. What may be the beginning of a value is held back until the next
 * piece, or the end, says whether it is: at most as many bytes as the longest form of a value has.
 */
export class MaskStream {
  readonly #search: NeedleSearch;
  #held: Uint8Array = NO_BYTES;
  /** How many of the held bytes a mask stands for that has been returned. */
  #covered = 0;
  /** The masks of the values that overlap up to there. */
  readonly #shown = new Set<Uint8Array>();

  /** Takes what finds the values. */
  constructor(search: NeedleSearch) {
    this.#search = search;
  }

  /** Takes the next piece, and returns what can be shown; that may be a part of the piece itself. */
  push(piece: Uint8Array): Uint8Array {
    if (piece.length === 0) return NO_BYTES;
    const bytes = concat([this.#held, piece]);
    return this.#take(bytes, this.#search.undecidedFrom(bytes));
  }

  /** Takes the last piece, and returns the rest. */
  end(piece: Uint8Array = NO_BYTES): Uint8Array {
    const bytes = concat([this.#held, piece]);
    return this.#take(bytes, bytes.length);
  }

  /** Decides about everything before an index. */
  #take(bytes: Uint8Array, until: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let done = this.#covered;
    for (const { start, end, shown } of this.#search.find(bytes, until)) {
      // It is within another one.
      if (end <= done) continue;
      if (start >= done) {
        parts.push(partOf(bytes, done, start));
        this.#shown.clear();
      }
      if (!this.#shown.has(shown)) parts.push(shown);
      this.#shown.add(shown);
      done = end;
    }
    if (done < until) parts.push(partOf(bytes, done, until));
    this.#covered = Math.max(0, done - until);
    // The buffer of a piece is used again.
    this.#held = until === bytes.length ? NO_BYTES : bytes.slice(until);
    return concat(parts);
  }
}

/** The bytes themselves if the part is all of them. */
function partOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
}

/** One of the parts itself if the others are empty. */
function concat(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter(({ length }) => length > 0);
  const [first = NO_BYTES] = filled;
  if (filled.length < 2) return first;
  const whole = new Uint8Array(filled.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of filled) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The most bytes of a window, whose shifts are stored in bytes. */
const MOST_WINDOW = 64;

/**
 * Finds all occurrences of many needles at once: a window as long as the shortest needle moves over
 * the bytes, and its last two bytes say how far it may move on (Wu and Manber, "A fast algorithm for
 * multi-pattern searching", 1994).
 */
class NeedleSearch {
  /** Bytes of the shortest needle. */
  readonly shortest: number;
  readonly #longest: number;
  readonly #window: number;
  /** How far the window may move on, by its last two bytes. */
  readonly #shifts = new Uint8Array(0x10000);
  /** The needles by the last two bytes of a window at their start, the longest first. */
  readonly #byPair = new Map<number, Needle[]>();
  /** The needles by their first byte. */
  readonly #byStart: (Needle[] | undefined)[] = [];

  constructor(needles: readonly Needle[]) {
    const lengths = needles.map(({ bytes }) => bytes.length);
    this.shortest = Math.min(...lengths);
    this.#longest = Math.max(...lengths);
    this.#window = Math.min(this.shortest, MOST_WINDOW);
    this.#shifts.fill(this.#window - 1);
    for (const needle of needles.toSorted((a, b) => b.bytes.length - a.bytes.length)) {
      this.#add(needle);
    }
  }

  /** The longest needle at each index before `until`, in order; what lies beyond the bytes is none. */
  *find(bytes: Uint8Array, until: number): Generator<Found> {
    const [window, shifts] = [this.#window, this.#shifts];
    const last = Math.min(until - 1, bytes.length - window);
    for (let start = 0; start <= last;) {
      const pair = pairAt(bytes, start + window - 2);
      const shift = shifts[pair] ?? 0;
      if (shift > 0) {
        start += shift;
        continue;
      }
      const found = this.#byPair.get(pair)?.find((needle) =>
        startsWith(bytes, start, needle.bytes)
      );
      if (found !== undefined) {
        yield { start, end: start + found.bytes.length, shown: found.shown };
      }
      start++;
    }
  }

  /** The first index at which further bytes may complete a needle; the end if there is none. */
  undecidedFrom(bytes: Uint8Array): number {
    const { length } = bytes;
    for (let start = Math.max(0, length - this.#longest + 1); start < length; start++) {
      const candidates = this.#byStart[bytes[start] ?? 0];
      if (candidates === undefined) continue;
      const rest = bytes.subarray(start);
      const isBegun = candidates.some((needle) =>
        needle.bytes.length > rest.length && startsWith(needle.bytes, 0, rest)
      );
      if (isBegun) return start;
    }
    return length;
  }

  #add(needle: Needle): void {
    const { bytes } = needle;
    const window = this.#window;
    for (let at = 0; at <= window - 2; at++) {
      const pair = pairAt(bytes, at);
      this.#shifts[pair] = Math.min(this.#shifts[pair] ?? 0, window - 2 - at);
    }
    push(this.#byPair, pairAt(bytes, window - 2), needle);
    (this.#byStart[bytes[0] ?? 0] ??= []).push(needle);
  }
}

function push<Key>(lists: Map<Key, Needle[]>, key: Key, needle: Needle): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [needle]);
  else list.push(needle);
}

function pairAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) << 8 | (bytes[at + 1] ?? 0);
}

function startsWith(bytes: Uint8Array, start: number, needle: Uint8Array): boolean {
  if (start + needle.length > bytes.length) return false;
  for (let at = 0; at < needle.length; at++) {
    if (bytes[start + at] !== needle[at]) return false;
  }
  return true;
}

/** A line of a value counts by itself if it is that long; tools indent keys, and number their lines. */
const SHORTEST_LINE = 16;
/** The first and the last line of a key or certificate, which are no secret (RFC 7468). */
const ARMOR = /^-----.*-----$/;

function toNeedles(secrets: Secrets): Needle[] {
  const needles = new Map<string, Needle>();
  for (const [name, value] of secrets) {
    const shown = encoder.encode(`[${name}]`);
    for (const form of formsOf(value)) {
      if (!needles.has(form)) needles.set(form, { bytes: encoder.encode(form), shown });
    }
  }
  return [...needles.values()];
}

/**
 * How a value is written where programs quote it: in JSON, in a URL, between the quotes of a shell, on
 * a terminal, and line by line.
 */
function formsOf(value: string): Set<string> {
  // Shells and programs remove the space around it.
  const plain = value.trim();
  const lines = plain.split("\n").map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE && !ARMOR.test(line));
  return new Set([
    plain,
    plain.replaceAll(/\r?\n/g, "\r\n"),
    plain.replaceAll(/\r?\n/g, "\n"),
    ...jsonForms(plain),
    ...urlForms(plain),
    plain.replaceAll("'", "'\\''"),
    // Between double quotes, as by `export -p`, and without quotes, as by `printf %q`.
    plain.replaceAll(/["$`\\]/g, "\\$&"),
    plain.replaceAll(/[ !"$&'()*,;<>?[\\\]^`{|}]/g, "\\$&"),
    ...lines,
  ]);
}

/** JSON as JavaScript, Python, PHP and Go write it: some escape what is not ASCII, slashes, and HTML. */
function jsonForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replaceAll(/[^\x20-\x7e]/g, escaped);
  const slashes = [json, ascii].map((form) => form.replaceAll("/", "\\/"));
  return [json, ascii, ...slashes, json.replaceAll(/[<>&\u2028\u2029]/g, escaped)];
}

/** A part of a URL, with either case of digits, and the value of a form (URL Standard). */
function urlForms(value: string): string[] {
  // A half of a character, which JSON can have, is sent as U+FFFD.
  const text = value.toWellFormed();
  const form = `${new URLSearchParams([["", text]])}`.slice(1);
  const strict = form.replaceAll("+", "%20");
  const forms = [encodeURIComponent(text), form, strict, strict.replaceAll("%2F", "/")];
  return forms.flatMap((form) => [
    form,
    form.replaceAll(/%../g, (code) => code.toLowerCase()),
  ]);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

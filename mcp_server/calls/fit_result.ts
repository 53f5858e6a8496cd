import { isJsonObject, type JsonObject, jsonTextStart, type JsonValue } from "../shared/json.ts";
import {
  type CallOutcome,
  type Content,
  isFitting,
  textOf,
  type ToolResult,
} from "../tool/result.ts";
import type { RegisteredTool } from "../tool/tool.ts";

/** Texts of so many characters of JSON, such as paths and lines, are not cut. */
const SHORT_TEXT = 4_096;
/** What is left of a longer one at least. */
const LEAST_TEXT = 1_024;
/** The part of a cut text that is its beginning. */
const BEGINNING = 2 / 3;
/** What the line in a cut text takes at most. */
const NOTE = 64;

/**
 * A result whose data, and whose texts, take at most `most` characters as JSON: of long texts the
 * beginning and the end are left, then the longest lists lose their last entries, and `leftOut` says
 * how many, by the keys that lead to them. What is neither text nor data, such as an image, stays.
 * `undefined` if it can't fit.
 */
export function fitResult(result: ToolResult, most: number): ToolResult | undefined {
  const { structuredContent: data, content = [] } = result;
  if (data === undefined) return { ...result, content: fitTexts(content, most) };
  const whole = JSON.stringify(data);
  const copy: unknown = JSON.parse(whole);
  const fitted = isJsonObject(copy) ? fitData(copy, most) : undefined;
  if (fitted === undefined) return undefined;
  // The text of the data becomes that of what is left of it.
  const text = JSON.stringify(fitted);
  const shown = content.map((block): Content =>
    block.type === "text" && block.text === whole ? { ...block, text } : block
  );
  return { ...result, structuredContent: fitted, content: fitTexts(shown, most, text) };
}

/** The outcome of a tool that reports its failure itself, in at most `most` characters. */
export function failed(result: ToolResult, most = Infinity): CallOutcome {
  const shown = isFitting(result, most) ? result : fitResult(result, most) ?? result;
  const refusal = { kind: "TOOL_FAILED", code: "TOOL_FAILED", message: textOf(shown) } as const;
  return { ok: false, refusal, result: shown };
}

/** Shortens a result to `most` characters, unless its schema allows no shorter output. */
export async function fitOutput(
  tool: Pick<RegisteredTool, "validateOutput">,
  result: ToolResult,
  most: number,
): Promise<ToolResult> {
  const fitted = fitResult(result, most);
  const check = await tool.validateOutput?.(fitted?.structuredContent);
  return fitted === undefined || check?.ok === false ? result : fitted;
}

/**
 * Cuts the long texts among these, but for that of the data, so that all together take at most `most`
 * characters; of texts that are too many for that, the first are left.
 */
function fitTexts(content: readonly Content[], most: number, ofData?: string): Content[] {
  const lengths = content.map((block) =>
    block.type === "text" && block.text !== ofData ? lengthOf(block.text) : undefined
  );
  const longest = longestThatFits(lengths.filter((length) => length !== undefined), most, 0);
  if (longest < NOTE) return firstTexts(content, lengths, most - NOTE);
  return content.map((block, at) =>
    block.type === "text" && lengths[at] !== undefined
      ? { ...block, text: cutText(block.text, longest) }
      : block
  );
}

/** What has no length, the first of the others, and a line that says how many more there are. */
function firstTexts(
  content: readonly Content[],
  lengths: readonly (number | undefined)[],
  most: number,
): Content[] {
  let [left, leftOut] = [most, 0];
  const first = content.filter((_, at) => {
    const length = lengths[at];
    if (length === undefined) return true;
    left -= length;
    if (left < 0) leftOut++;
    return left >= 0;
  });
  return [...first, { type: "text", text: `[... ${leftOut} texts left out ...]` }];
}

/** Data that takes at most `most` characters; `undefined` if it can't. Cuts the texts in place. */
function fitData(data: JsonObject, most: number): JsonObject | undefined {
  shortenTexts(data, lengthOf(data) - most);
  if (lengthOf(data) <= most) return data;
  const withLists = (entries: number) => {
    const leftOut = new Map<string, number>();
    const shortened = withShortLists(data, entries, [], leftOut);
    return isJsonObject(shortened) ? { ...shortened, leftOut: Object.fromEntries(leftOut) } : data;
  };
  const entries = greatestOf((entries) => lengthOf(withLists(entries)) <= most);
  return entries === undefined ? undefined : withLists(entries);
}

/**
 * A value whose lists have at most so many entries, the first ones; of each path of keys, `leftOut` gets
 * how many there are no more. A list in a list is a row, and stays whole.
 */
function withShortLists(
  value: JsonValue,
  entries: number,
  path: readonly string[],
  leftOut: Map<string, number>,
): JsonValue {
  if (Array.isArray(value)) {
    return value.map((entry) => withShortLists(entry, entries, path, leftOut));
  }
  if (!isJsonObject(value)) return value;
  const parts = Object.entries(value).map(([key, part = null]) => {
    const own = [...path, key];
    const isLong = Array.isArray(part) && part.length > entries;
    if (!isLong) return [key, withShortLists(part, entries, own, leftOut)];
    const name = own.join(".");
    leftOut.set(name, (leftOut.get(name) ?? 0) + part.length - entries);
    return [key, withShortLists(part.slice(0, entries), entries, own, leftOut)];
  });
  return Object.fromEntries(parts);
}

/** The greatest number that fits, where all smaller ones do and not all do; `undefined` if none does. */
function greatestOf(fits: (number: number) => boolean): number | undefined {
  if (!fits(0)) return undefined;
  let [least, most] = [0, 1];
  while (fits(most)) [least, most] = [most, 2 * most];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}

/** Cuts the longest texts to one length, so that they take `excess` characters less if they can. */
function shortenTexts(data: object, excess: number): void {
  const long: { readonly text: string; readonly replace: (text: string) => void }[] = [];
  const collect = (value: object) => {
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === "object" && part !== null) collect(part);
      if (typeof part !== "string" || 6 * part.length <= SHORT_TEXT) continue;
      if (lengthOf(part) <= SHORT_TEXT) continue;
      long.push({ text: part, replace: (text) => void Reflect.set(value, key, text) });
    }
  };
  collect(data);
  const lengths = long.map(({ text }) => lengthOf(text));
  const sum = lengths.reduce((all, length) => all + length, 0);
  const longest = longestThatFits(lengths, sum - excess, LEAST_TEXT);
  for (const { text, replace } of long) replace(cutText(text, longest));
}

/** The greatest length, and at least `least`, to which texts are cut to take `most` in all. */
function longestThatFits(lengths: readonly number[], most: number, least: number): number {
  const sumOf = (longest: number) =>
    lengths.reduce((sum, length) => sum + Math.min(length, longest), 0);
  return sumOf(Infinity) <= most
    ? Infinity
    : Math.max(least, greatestOf((longest) => sumOf(longest) <= most) ?? least);
}

/** The beginning and the end of a text, with a line that says how much of it is left out. */
export function cutText(text: string, most: number): string {
  if (lengthOf(text) <= most) return text;
  const room = Math.max(0, most - NOTE);
  const start = jsonTextStart(text, Math.floor(room * BEGINNING));
  const end = jsonTextEnd(text, Math.floor(room * (1 - BEGINNING)));
  return `${start}\n[... ${
    text.length - start.length - end.length
  } characters left out ...]\n${end}`;
}

/** The longest end of a text that takes at most `most` characters inside a JSON string. */
function jsonTextEnd(text: string, most: number): string {
  // No character takes less than one, so the end has at most so many.
  const last = text.slice(text.length - most);
  let from = 0;
  for (let excess = lengthOf(last) - 2 - most; excess > 0; from++) {
    excess -= lengthOf(last.charAt(from)) - 2;
  }
  return last.slice(from).replace(/^[\uDC00-\uDFFF]/, "");
}

/** The characters of a value as JSON; the engine counts them faster than this program. */
function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

import { REDACTED } from "../shared/log.ts";
import { isJsonObject, jsonTextLength } from "../shared/json.ts";
import type { ShownArguments } from "../tool/fleet_desk.ts";
import type { SecretMask } from "../access/secret_mask.ts";
import type { OutputEvent } from "../tool/command.ts";
import type { Refusal, ToolResult } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";

/** How much of each text is shown: its first and its last characters. */
const PART = { first: 1_500, last: 400 };

/**
 * What a person can't see or takes for a space, or what changes the order in which text is seen. Two
 * symbols are empty without being a space: the blank of Braille, and the null notehead.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}/gu;
const NOT_ASCII = /[^\x20-\x7e]/g;

/** A function for `JSON.stringify()` that redacts secrets; with an empty key, it redacts a text. */
type Replacer = (key: string, value: unknown) => unknown;

/**
 * Shows the arguments of a call as JSON text of at most `most` characters. Secrets are redacted by
 * `replacer` before anything is left out; `truncated` says that a value is redacted as a whole, or left
 * out. Whatever a person can't see is escaped as in JSON, so that no
 * argument can hide or reorder a part of the text.
 */
export function showArguments(args: unknown, most: number, replacer: Replacer): ShownArguments {
  const { length } = JSON.stringify(args) ?? "";
  const { text, truncated } = toJson(args, replacer, 2);
  const whole = text.replaceAll(UNSEEN, escaped);
  if (whole.length <= most) return { text: whole, length, truncated };
  const note = `\n[... the rest of ${length} characters is not shown]`;
  return { text: whole.slice(0, most - note.length) + note, length, truncated: true };
}

/**
 * The arguments of a call as JSON on one line, in ASCII, of at most `most` bytes: they themselves, or,
 * if they are longer, one text that begins as they do. Secrets are redacted by `replacer`.
 */
export function toAuditedArguments(args: unknown, most: number, replacer: Replacer): string {
  const { text } = toJson(args, replacer);
  const whole = text.replaceAll(NOT_ASCII, escaped);
  if (whole.length <= most) return whole;
  const note = `[... the rest of ${text.length} characters is left out]`;
  let end = 0;
  for (let left = most - note.length - 2; end < text.length; end++) {
    left -= asciiLength(text.charAt(end));
    if (left < 0) break;
  }
  return JSON.stringify(text.slice(0, end) + note).replaceAll(NOT_ASCII, escaped);
}

/** How many bytes a code unit takes inside a JSON string in ASCII. */
function asciiLength(unit: string): number {
  return unit > "~" ? 6 : jsonTextLength(unit);
}

/** JSON of which the middle of long texts is left out, and secrets are redacted, also in keys. */
function toJson(
  args: unknown,
  replacer: Replacer,
  indent?: number,
): { readonly text: string; readonly truncated: boolean } {
  let truncated = false;
  const show = (key: string, value: unknown): unknown => {
    const shown = replacer(key, value);
    // By its key alone a value seems to be a secret: it may be what a command runs.
    if (shown === REDACTED) truncated = true;
    if (isJsonObject(shown)) {
      return Object.fromEntries(
        Object.entries(shown).map(([name, each]) => [replacer("", name), each]),
      );
    }
    if (typeof shown !== "string" || shown.length <= PART.first + PART.last) return shown;
    truncated = true;
    const left = shown.length - PART.first - PART.last;
    const [first, last] = [shown.slice(0, PART.first), shown.slice(-PART.last)];
    return `${first}[... ${left} characters are not shown ...]${last}`;
  };
  const text = JSON.stringify(args, show, indent) ?? "null";
  return { text, truncated };
}

/** A line end is between values only: those in texts are escaped by JSON. */
function escaped(text: string): string {
  if (text === "\n") return text;
  return text.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The options of a call that shows nothing of secrets while it runs. */
export function maskOptions(options: CallOptions, mask: SecretMask): CallOptions {
  const { onProgress, onOutput, ask, onNotification } = options;
  return {
    ...options,
    ...(onProgress && { onProgress: (update) => onProgress(mask.json(update)) }),
    ...(onOutput && { onOutput: (event) => onOutput(maskEvent(event, mask)) }),
    ...(ask && { ask: (question) => ask(mask.json(question)) }),
    ...(onNotification && {
      onNotification: (notification) => onNotification(mask.json(notification)),
    }),
  };
}

/** What commands write is masked by their runner already, also where a value is cut in two. */
function maskEvent(event: OutputEvent, mask: SecretMask): OutputEvent {
  if (event.bytes === undefined) return { ...event, text: mask.text(event.text) };
  const bytes = mask.bytes(event.bytes);
  return bytes === event.bytes ? event : { ...event, text: mask.text(event.text), bytes };
}

/** A refusal without values of secrets. */
export function maskRefusal(refusal: Refusal, mask: SecretMask | undefined): Refusal {
  return mask === undefined ? refusal : mask.json(refusal);
}

/** The result of a tool without values of secrets. */
export function maskResult(result: ToolResult, mask: SecretMask): ToolResult {
  const shown = mask.json(result);
  const { structuredContent: data } = result;
  if (shown.structuredContent === data || result.content === undefined) return shown;
  // A value that JSON escapes is escaped once more in the text of the same data.
  const whole = JSON.stringify(data);
  const content = result.content.map((block, at) =>
    block.type === "text" && block.text === whole
      ? { ...block, text: JSON.stringify(shown.structuredContent) }
      : shown.content[at] ?? block
  );
  return { ...shown, content };
}

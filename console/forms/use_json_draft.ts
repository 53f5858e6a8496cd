import type { JsonValue } from "@trestle/mcp-server";
import { type Ref, ref, watch } from "vue";
import { isSame } from "../schema/initial_value.ts";
import { toVisibleJson } from "../schema/visible_text.ts";
import { eventValue } from "./event_value.ts";

/** A JSON text that is being edited. */
export interface JsonDraft {
  readonly text: Readonly<Ref<string>>;
  /** What is wrong with the text; empty if nothing is. */
  readonly fault: Readonly<Ref<string>>;
  /** Takes the text of an input event. */
  readonly take: (event: Event) => void;
}

/**
 * Edits a value as a JSON text. `accept` takes each value that was entered, and returns what is wrong
 * with it, if anything; a text that is not JSON changes nothing. When the value changes elsewhere,
 * the text does as well.
 */
export function useJsonDraft(
  value: () => JsonValue | undefined,
  accept: (value: JsonValue | undefined) => string | undefined,
): JsonDraft {
  const text = ref(toJsonText(value()));
  const fault = ref("");

  watch(value, (next) => {
    const parsed = parseJson(text.value);
    if (parsed.ok && isSame(parsed.value, next)) return;
    text.value = toJsonText(next);
    fault.value = "";
  });

  function take(event: Event): void {
    text.value = eventValue(event);
    const parsed = parseJson(text.value);
    fault.value = (parsed.ok ? accept(parsed.value) : parsed.fault) ?? "";
  }

  return { text, fault, take };
}

/** The value of a JSON text, `undefined` for an empty text, or what is wrong with it. */
type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly fault: string };

/** Reads a JSON text that somebody is typing. */
function parseJson(text: string): ParsedJson {
  if (text.trim() === "") return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The text to edit a value with, of which nothing is hidden. */
function toJsonText(value: JsonValue | undefined): string {
  return value === undefined ? "" : toVisibleJson(value, 2);
}

import type { JsonObject, ToolDefinition } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef } from "vue";
import { initialArguments } from "../schema/initial_value.ts";
import { parseAddress, toAddress, toSharable } from "../schema/sharable.ts";

/** What is being entered for a tool. */
interface Draft {
  readonly args: ShallowRef<JsonObject>;
  /** Whether they are of an earlier run, and something of them was not kept. */
  readonly isMasked: ShallowRef<boolean>;
}

const KEY = "trestle.draft.";
const MOST_CHARS = 200_000;

const drafts = new Map<string, Draft>();

/**
 * The arguments that are being entered for a tool: those of the address if it has some, else those that
 * were entered last, also after a reload. They stay until the caller logs out.
 */
export function useDraft({ name, inputSchema }: ToolDefinition): Draft {
  const known = drafts.get(name);
  const given = addressedArguments();
  if (known !== undefined && given === undefined) return known;
  if (known !== undefined && toAddress(known.args.value) === toAddress(given ?? {})) return known;
  const kept = parseAddress(encodeURIComponent(sessionStorage.getItem(KEY + name) ?? ""));
  return setDraft(name, given ?? kept ?? initialArguments(inputSchema));
}

/** The arguments in the address: what follows `?args=`. */
export function addressedArguments(): JsonObject | undefined {
  const [, text] = location.hash.split("?args=", 2);
  return text === undefined ? undefined : parseAddress(text);
}

/** Enters arguments for a tool. */
export function setDraft(
  tool: string,
  args: JsonObject,
  { isMasked = false }: { readonly isMasked?: boolean } = {},
): Draft {
  const draft = drafts.get(tool) ?? { args: shallowRef(args), isMasked: shallowRef(isMasked) };
  draft.args.value = args;
  draft.isMasked.value = isMasked;
  drafts.set(tool, draft);
  return draft;
}

/**
 * Keeps a draft for a reload, and its arguments in the address, if they fit: without variables, input
 * and secrets. `isNew` leaves the address before it to the button "back".
 */
export function keepDraft(tool: string, args: JsonObject, isNew: boolean): void {
  const text = JSON.stringify(toSharable(args));
  if (text.length <= MOST_CHARS) sessionStorage.setItem(KEY + tool, text);
  const address = toAddress(args);
  const hash = `#/tools/${encodeURIComponent(tool)}` +
    (address === undefined || text === "{}" ? "" : `?args=${address}`);
  if (hash === location.hash) return;
  if (isNew) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

/** Forgets what was entered. */
export function forgetDrafts(): void {
  drafts.clear();
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(KEY)) sessionStorage.removeItem(key);
  }
}

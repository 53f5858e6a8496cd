import type { JsonObject, ToolDefinition } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef } from "vue";
import { initialArguments } from "../schema/initial_value.ts";

/** What is being entered for a tool. */
export interface Draft {
  readonly args: ShallowRef<JsonObject>;
  /** Whether they are of an earlier run, and something of them was not kept. */
  readonly isMasked: ShallowRef<boolean>;
}

const drafts = new Map<string, Draft>();

/** The arguments that are being entered for a tool; they stay while other pages are shown. */
export function useDraft({ name, inputSchema }: ToolDefinition): Draft {
  return drafts.get(name) ?? setDraft(name, initialArguments(inputSchema));
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

/** Forgets what was entered. */
export function forgetDrafts(): void {
  drafts.clear();
}

import type { JsonObject, ToolDefinition } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef } from "vue";
import { initialArguments } from "../schema/initial_value.ts";

const drafts = new Map<string, ShallowRef<JsonObject>>();

/** The arguments that are being entered for a tool; they stay while other pages are shown. */
export function useDraft({ name, inputSchema }: ToolDefinition): ShallowRef<JsonObject> {
  const draft = drafts.get(name) ?? shallowRef(initialArguments(inputSchema));
  drafts.set(name, draft);
  return draft;
}

/** Forgets what was entered. */
export function forgetDrafts(): void {
  drafts.clear();
}

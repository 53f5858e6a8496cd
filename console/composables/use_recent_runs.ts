import type { JsonObject } from "@trestle/mcp-server";
import { computed, type ComputedRef, shallowRef } from "vue";
import { isSharable, toSharable } from "../schema/sharable.ts";
import { session } from "./use_session.ts";

/** A run of a tool from this tab. */
interface RecentRun {
  readonly tool: string;
  /** Name of the caller. */
  readonly caller: string;
  /** When it was started (ISO 8601). */
  readonly time: string;
  /** Its arguments without variables, input and secrets. */
  readonly args: JsonObject;
  /** Whether these are all of its arguments. */
  readonly isWhole: boolean;
}

const KEY = "trestle.runs";
const MOST = { runs: 60, ofTool: 8, chars: 200_000 };

const runs = shallowRef<readonly RecentRun[]>(read());

/** The latest runs of a tool by the caller, the newest first. */
export function useRecentRuns(tool: string): ComputedRef<readonly RecentRun[]> {
  return computed(() =>
    runs.value.filter((run) => run.tool === tool && run.caller === session.me.value?.name)
      .slice(0, MOST.ofTool)
  );
}

/** Remembers a run until the caller logs out, or the tab is closed. */
export function rememberRun(tool: string, given: JsonObject): void {
  const args = toSharable(given);
  const text = JSON.stringify(args);
  const others = runs.value.filter((run) => run.tool !== tool || JSON.stringify(run.args) !== text);
  const time = new Date().toISOString();
  const caller = session.me.value?.name ?? "";
  const next = [{ tool, caller, time, args, isWhole: isSharable(given) }, ...others];
  keep(next.slice(0, MOST.runs));
}

/** Forgets all runs. */
export function forgetRuns(): void {
  runs.value = [];
  sessionStorage.removeItem(KEY);
}

/** Keeps as many as fit. */
function keep(wanted: readonly RecentRun[]): void {
  let kept = wanted;
  while (JSON.stringify(kept).length > MOST.chars) kept = kept.slice(0, -1);
  runs.value = kept;
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}

function read(): readonly RecentRun[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

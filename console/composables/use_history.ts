import type { EndedCallRecord } from "@trestle/mcp-server";
import { type ShallowRef, shallowRef } from "vue";
import { calls } from "../api/calls.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { usePolling } from "./use_polling.ts";

/** The calls of the server that have ended. */
export interface History {
  /** The one that ended last is at the top; `undefined` until they are loaded. */
  readonly list: Readonly<ShallowRef<readonly EndedCallRecord[] | undefined>>;
  /** Why they can't be loaded. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
}

const POLL_MS = 5_000;

/** Loads the last calls again and again. */
export function useHistory(): History {
  const list = shallowRef<readonly EndedCallRecord[]>();
  const problem = shallowRef<Problem>();
  usePolling(async () => {
    try {
      list.value = (await calls.history()).data.calls;
      problem.value = undefined;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }, POLL_MS);
  return { list, problem };
}

import type { JsonObject, JsonValue } from "@trestle/mcp-server";
import { type Ref, ref, type ShallowRef, shallowRef } from "vue";
import { calls } from "../api/calls.ts";
import { readEvents, type ServerEvent } from "../api/event_stream.ts";
import { report } from "../api/instance.ts";
import { isRecord, parseProblem, Problem } from "../api/problem.ts";
import { progressText } from "./progress_text.ts";
import { createTerminal, type Terminal } from "./use_terminal.ts";

/** `broken`: the connection ended before the result came. */
export type RunState = "idle" | "running" | "done" | "failed" | "cancelled" | "broken";

/** The latest call of a tool from this page. */
export interface ToolRun {
  readonly state: Readonly<Ref<RunState>>;
  readonly terminal: Terminal;
  /** What the tool reports about its progress. */
  readonly progress: Readonly<Ref<string>>;
  readonly result: Readonly<ShallowRef<JsonValue | undefined>>;
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** When the call was started and ended, as `performance.now()` counts. */
  readonly times: Readonly<ShallowRef<{ readonly start: number; readonly end?: number }>>;
  /** Calls the tool, unless a call runs already. */
  start(args: JsonObject): Promise<void>;
  /** Stops the call; the server stops the tool with all its processes. */
  cancel(): void;
}

const runs = new Map<string, ToolRun>();

/** The call of a tool, which continues while other pages are shown. */
export function useToolRun(tool: string): ToolRun {
  const run = runs.get(tool) ?? createToolRun(tool);
  runs.set(tool, run);
  return run;
}

/** Cancels and forgets every call. */
export function endToolRuns(): void {
  for (const run of runs.values()) run.cancel();
  runs.clear();
}

function createToolRun(tool: string): ToolRun {
  const state = ref<RunState>("idle");
  const terminal = createTerminal();
  const progress = ref("");
  const result = shallowRef<JsonValue>();
  const problem = shallowRef<Problem>();
  const times = shallowRef<{ start: number; end?: number }>({ start: 0 });
  let running = new AbortController();

  function reset(): void {
    terminal.clear();
    progress.value = "";
    result.value = undefined;
    problem.value = undefined;
    times.value = { start: performance.now() };
    running = new AbortController();
    state.value = "running";
  }

  const isRunning = () => state.value === "running";

  function end(last: RunState): void {
    if (!isRunning()) return;
    state.value = last;
    times.value = { ...times.value, end: performance.now() };
  }

  function fail(reason: Problem): void {
    problem.value = reason;
    end(reason.isAway ? "broken" : "failed");
  }

  function take({ event, data }: ServerEvent): void {
    if (event === "result") {
      // An event's data is what JSON.parse() returns.
      result.value = data as JsonValue;
      end("done");
    } else if (event === "error") {
      fail(parseProblem(data, isRecord(data) && Number(data.status) || 500));
    } else if (isRecord(data)) {
      if (event === "progress") progress.value = progressText(data);
      if (event === "dropped") terminal.note("[some output came too fast to be shown]");
      if (event === "stdout" || event === "stderr") terminal.write(String(data.text), event);
    }
  }

  async function start(args: JsonObject): Promise<void> {
    if (isRunning()) return;
    reset();
    const { signal } = running;
    try {
      const { body } = await calls.stream({ tool, args }, signal);
      for await (const event of readEvents(body)) take(event);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem) return fail(error);
    }
    if (signal.aborted || !isRunning()) return;
    report("away");
    fail(
      new Problem("The connection ended before the result came; the call has ended with it", {}),
    );
  }

  return {
    state,
    terminal,
    progress,
    result,
    problem,
    times,
    start,
    cancel() {
      end("cancelled");
      running.abort();
    },
  };
}

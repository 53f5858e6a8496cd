import type { CallEnding, JsonObject, JsonValue } from "@trestle/mcp-server";
import { endingOf } from "@trestle/mcp-server/ending";
import { computed, type ComputedRef, type Ref, ref, type ShallowRef, shallowRef } from "vue";
import { calls } from "../api/calls.ts";
import { readEvents, type ServerEvent } from "../api/event_stream.ts";
import { report } from "../api/instance.ts";
import { isObject } from "../schema/field.ts";
import { isRecord, parseProblem, Problem } from "../api/problem.ts";
import { progressText } from "./progress_text.ts";
import { createTerminal, type Terminal } from "./use_terminal.ts";

/** `broken`: the connection ended before the result came. */
export type RunState = "idle" | "running" | "done" | "failed" | "cancelled" | "broken";

/** When a call was started and ended, as `performance.now()` counts. */
export interface RunTimes {
  readonly start: number;
  readonly end?: number;
}

const runs = new Map<string, ToolRun>();

/** The latest call of a tool, which continues while other pages are shown. */
export function useToolRun(tool: string): ToolRun {
  const run = runs.get(tool) ?? new ToolRun(tool);
  runs.set(tool, run);
  return run;
}

/** Cancels and forgets every call. */
export function endToolRuns(): void {
  for (const run of runs.values()) run.cancel();
  runs.clear();
}

/** The latest call of a tool from this page. */
export class ToolRun {
  /** How the call is. */
  readonly state: Ref<RunState> = ref("idle");
  /** Its output. */
  readonly terminal: Terminal = createTerminal();
  /** What the tool reports about its progress. */
  readonly progress: Ref<string> = ref("");
  /** What the tool returned. */
  readonly result: ShallowRef<JsonValue | undefined> = shallowRef();
  /** How what the tool ran has ended. */
  readonly ending: ComputedRef<CallEnding | undefined> = computed(() =>
    isObject(this.result.value) ? endingOf(this.result.value) : undefined
  );
  /** Why there is no result. */
  readonly problem: ShallowRef<Problem | undefined> = shallowRef();
  /** How long it takes. */
  readonly times: ShallowRef<RunTimes> = shallowRef({ start: 0 });
  readonly #tool: string;
  #running = new AbortController();

  /** Takes the name of the tool. */
  constructor(tool: string) {
    this.#tool = tool;
  }

  /** Calls the tool, unless a call runs already. */
  async start(args: JsonObject): Promise<void> {
    if (this.#isRunning()) return;
    this.#reset();
    const { signal } = this.#running;
    try {
      const { body } = await calls.stream({ tool: this.#tool, args }, signal);
      for await (const event of readEvents(body)) this.#take(event);
      if (this.#isRunning()) this.#break();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem) this.#fail(error);
      else this.#break();
    }
  }

  /** Stops the call; the server stops the tool with all its processes. */
  cancel(): void {
    this.#end("cancelled");
    this.#running.abort();
  }

  #isRunning(): boolean {
    return this.state.value === "running";
  }

  #reset(): void {
    this.terminal.clear();
    this.progress.value = "";
    this.result.value = undefined;
    this.problem.value = undefined;
    this.times.value = { start: performance.now() };
    this.#running = new AbortController();
    this.state.value = "running";
  }

  #take({ event, data }: ServerEvent): void {
    if (event === "result") {
      // An event's data is what JSON.parse() returns.
      this.result.value = data as JsonValue;
      this.#end("done");
    } else if (event === "error") {
      this.#fail(parseProblem(data, isRecord(data) && Number(data.status) || 500));
    } else if (isRecord(data)) {
      if (event === "progress") this.progress.value = progressText(data);
      if (event === "dropped") this.terminal.note("[some output came too fast to be shown]");
      if (event === "stdout" || event === "stderr") this.terminal.write(String(data.text), event);
    }
  }

  #break(): void {
    report("away");
    const detail = "The connection ended before the result came; the call has ended with it";
    this.#fail(new Problem(detail, {}));
  }

  #fail(problem: Problem): void {
    this.problem.value = problem;
    this.#end(problem.isAway ? "broken" : "failed");
  }

  #end(last: RunState): void {
    if (!this.#isRunning()) return;
    this.state.value = last;
    this.times.value = { ...this.times.value, end: performance.now() };
  }
}

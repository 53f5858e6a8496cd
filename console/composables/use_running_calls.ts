import type { LiveCall } from "@trestle/mcp-server";
import { reactive, type ShallowRef, shallowRef } from "vue";
import { calls } from "../api/calls.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { usePolling } from "./use_polling.ts";

/** A running call, as the page shows it. */
export interface ShownCall extends LiveCall {
  /** When it began, by the clock of the browser. */
  readonly start: number;
  /** The server on which it runs. */
  readonly server: string;
}

/** The calls of the server that the caller sees. */
export interface RunningCallList {
  /** The one that began first is at the top; `undefined` until they are loaded. */
  readonly list: Readonly<ShallowRef<readonly ShownCall[] | undefined>>;
  /** How many further ones there are. */
  readonly more: Readonly<ShallowRef<number>>;
  /** Servers that did not answer. */
  readonly unreachable: Readonly<ShallowRef<readonly string[]>>;
  /** Why they can't be loaded, or one can't be stopped. */
  readonly problem: Readonly<ShallowRef<Problem | undefined>>;
  /** The last call that was stopped. */
  readonly stopped: Readonly<ShallowRef<LiveCall | undefined>>;
  /** Whether a call is being stopped. */
  isStopping(call: LiveCall): boolean;
  /** Loads them again. Never rejects. */
  load(): Promise<void>;
  /** Stops a call; resolves once it has ended, or that takes too long. Never rejects. */
  stop(call: LiveCall): Promise<void>;
}

const POLL_MS = 2_000;

/** Loads the running calls again and again. */
export function useRunningCalls(): RunningCallList {
  const list = shallowRef<readonly ShownCall[]>();
  const more = shallowRef(0);
  const unreachable = shallowRef<readonly string[]>([]);
  const problem = shallowRef<Problem>();
  const stopped = shallowRef<LiveCall>();
  const stopping = reactive(new Set<string>());

  async function load(): Promise<void> {
    try {
      const { data } = await calls.list();
      const now = Date.now();
      list.value = data.calls.map((call) => ({ ...call, start: now - call.elapsedMs }));
      more.value = data.more;
      unreachable.value = data.unreachable;
      problem.value = undefined;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }

  async function stop(call: LiveCall): Promise<void> {
    stopping.add(call.id);
    const fault = await calls.stop(call.id).then(
      ({ data }) => void (stopped.value = data),
      (error) => toProblem(error),
    );
    stopping.delete(call.id);
    await load();
    // A call that is unknown by now has ended by itself.
    if (fault !== undefined && fault.status !== 404) problem.value = fault;
  }

  usePolling(load, POLL_MS);
  const isStopping = ({ id, stopping: isStopped }: LiveCall) => isStopped || stopping.has(id);
  return { list, more, unreachable, problem, stopped, isStopping, load, stop };
}

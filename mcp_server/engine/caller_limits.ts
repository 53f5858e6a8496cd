import type { Caller, Rights } from "../domain/caller.ts";
import { isJsonObject } from "../domain/json.ts";
import type { Limits } from "../domain/limits.ts";
import type { Refusal } from "../domain/service.ts";
import { callerBusy, timeoutTooLong } from "./refusals.ts";

/** The argument by which tools take the time-out of their commands, in milliseconds. */
export const TIMEOUT = "timeoutMs";

/** The limits of each caller whose rights bound time-outs. */
const known = new WeakMap<Limits, WeakMap<Rights, Limits>>();

/** The limits of a caller's calls: its time-outs are at most as long as its rights allow. */
export function limitsOf(limits: Limits, { rights }: Caller): Limits {
  const most = rights?.maxTimeoutMs;
  if (rights === undefined || most === undefined) return limits;
  const byRights = known.get(limits) ?? new WeakMap<Rights, Limits>();
  known.set(limits, byRights);
  const own = byRights.get(rights) ?? {
    ...limits,
    timeoutMs: Math.min(limits.timeoutMs, most),
    maxTimeoutMs: Math.min(limits.maxTimeoutMs, most),
  };
  byRights.set(rights, own);
  return own;
}

/** Why a caller can't have the time-out that it asks for, or `undefined` if it can. */
export function checkTimeout(tool: string, input: unknown, caller: Caller): Refusal | undefined {
  const most = caller.rights?.maxTimeoutMs;
  const wish = isJsonObject(input) ? input[TIMEOUT] : undefined;
  if (most === undefined || typeof wish !== "number" || wish <= most) return undefined;
  return timeoutTooLong(tool, { argument: TIMEOUT, most, caller });
}

/** Counts the running calls of callers whose rights bound them. */
export class CallerCalls {
  readonly #running = new Map<string, number>();

  /** Counts a call until it is disposed of; or why the caller can't have one more. */
  enter({ name, rights }: Caller): Disposable | Refusal {
    const most = rights?.maxCalls;
    if (most === undefined) return UNCOUNTED;
    const running = this.#running.get(name) ?? 0;
    if (running >= most) return callerBusy(name, most);
    this.#running.set(name, running + 1);
    return { [Symbol.dispose]: () => this.#leave(name) };
  }

  #leave(name: string): void {
    const left = (this.#running.get(name) ?? 1) - 1;
    if (left === 0) this.#running.delete(name);
    else this.#running.set(name, left);
  }
}

const UNCOUNTED: Disposable = Object.freeze({ [Symbol.dispose]: () => {} });

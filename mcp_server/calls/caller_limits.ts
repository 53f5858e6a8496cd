import type { Caller, Rights } from "../access/caller.ts";
import { isJsonObject } from "../shared/json.ts";
import { LIMIT_SETTINGS, type Limits } from "../shared/limits.ts";
import type { Refusal } from "../tool/result.ts";
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

/** Whether a tool runs as a call or as a job, whose time-outs have bounds of their own. */
export type RunKind = "call" | "job";

/**
 * Why a call or a job can't have the time-out that it asks for, or `undefined` if it can; `limits`
 * are those of the server.
 */
export function checkTimeout(
  tool: string,
  input: unknown,
  { kind, limits, caller }: {
    readonly kind: RunKind;
    readonly limits: Limits;
    readonly caller: Caller;
  },
): Refusal | undefined {
  const wish = isJsonObject(input) ? input[TIMEOUT] : undefined;
  const most = kind === "job" ? limits.maxJobTimeoutMs : limits.maxTimeoutMs;
  const own = caller.rights?.maxTimeoutMs ?? Infinity;
  if (typeof wish !== "number" || wish <= Math.min(most, own)) return undefined;
  const hint = kind === "call" && limits.maxJobTimeoutMs > most ? LONGER : "";
  const rule = own < most
    ? `for the caller "${caller.name}" (maxTimeoutMs)`
    : `for a ${kind} (${SETTINGS[kind]})${hint}`;
  return timeoutTooLong(tool, { argument: TIMEOUT, most: Math.min(most, own), rule });
}

const SETTINGS: Readonly<Record<RunKind, string>> = {
  call: envOf("maxTimeoutMs"),
  job: envOf("maxJobTimeoutMs"),
};
const LONGER = "; job-start runs longer work";

function envOf(limit: keyof Limits): string {
  return LIMIT_SETTINGS.find(({ key }) => key === limit)?.env ?? limit;
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

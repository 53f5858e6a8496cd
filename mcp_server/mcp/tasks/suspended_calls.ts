import type { Caller } from "../../access/caller.ts";
import type { HeldCall } from "./held_call.ts";

/** How long a user may take to answer before the call is stopped; more than a client waits. */
const ANSWER_MS = 600_000;

interface Suspended {
  readonly call: HeldCall;
  readonly caller: Caller;
  readonly tool: string;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * The calls that wait for the user's answer between two requests. They are bounded by the number of
 * calls, of which they are part. The state that the client sends back is an unguessable name: the
 * call itself continues where it asked, and nothing of it is done twice.
 */
export class SuspendedCalls {
  readonly #calls = new Map<string, Suspended>();

  /** Keeps a call until it is taken or has ended; returns the state for the client. */
  add(call: HeldCall, caller: Caller, tool: string): string {
    const state = crypto.randomUUID();
    const timer = setTimeout(() => call.abandon(), ANSWER_MS);
    Deno.unrefTimer(timer);
    const suspended = { call, caller, tool, timer };
    this.#calls.set(state, suspended);
    call.carrier.outcome.then(() => this.#release(state));
    return state;
  }

  /** Takes the call of a state, if it is of this caller and this tool. */
  take(state: string, caller: Caller, tool: string): HeldCall | undefined {
    const suspended = this.#calls.get(state);
    if (suspended === undefined) return undefined;
    if (suspended.caller.name !== caller.name || suspended.tool !== tool) return undefined;
    this.#release(state);
    return suspended.call;
  }

  #release(state: string): void {
    clearTimeout(this.#calls.get(state)?.timer);
    this.#calls.delete(state);
  }
}

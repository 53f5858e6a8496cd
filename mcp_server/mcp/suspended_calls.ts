import { isDeepStrictEqual } from "node:util";
import { type ElicitRequestFormParams, isSpecType } from "@modelcontextprotocol/server";
import type { Caller } from "../access/caller.ts";
import type { ShownQuestions } from "../tool/job.ts";
import type { HeldCall } from "./held_call.ts";

/**
 * How long a user may take to answer before the call is stopped; more than a client waits, and than a
 * call waits for approval by default.
 */
const ANSWER_MS = 660_000;

/** How many calls that have ended without their client are kept for it. */
const MOST_ENDED = 32;

/** A call as its client names it in each of its requests. */
interface NamedCall {
  readonly name: string;
  readonly args: unknown;
}

interface Suspended {
  readonly call: HeldCall;
  readonly caller: Caller;
  readonly named: NamedCall;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * The calls that wait for the user's answer between two requests. They are bounded by the number of
 * calls, of which they are part, and by a number of their own once they have ended, as one does that
 * another approves. The state that the client sends back is an unguessable name: the call itself
 * continues where it asked, and nothing of it is done twice.
 */
export class SuspendedCalls {
  readonly #calls = new Map<string, Suspended>();
  readonly #ended = new Set<string>();

  /** Keeps a call until it is taken or nobody has come for it; returns the state for the client. */
  add(call: HeldCall, caller: Caller, named: NamedCall): string {
    const state = crypto.randomUUID();
    const timer = setTimeout(() => this.#abandon(state), ANSWER_MS);
    Deno.unrefTimer(timer);
    this.#calls.set(state, { call, caller, named, timer });
    call.carrier.outcome.then(() => this.#keepEnded(state));
    return state;
  }

  /**
   * Takes the call of a state, if it is of this caller and this tool. What it asked for its arguments
   * is refused if they are others now.
   */
  take(state: string, caller: Caller, { name, args }: NamedCall): HeldCall | undefined {
    const suspended = this.#calls.get(state);
    if (suspended === undefined) return undefined;
    const { call, named } = suspended;
    if (suspended.caller.name !== caller.name || named.name !== name) return undefined;
    this.#release(state);
    if (!isDeepStrictEqual(named.args, args)) call.questions.refuseChange();
    return call;
  }

  #keepEnded(state: string): void {
    if (!this.#calls.has(state)) return;
    this.#ended.add(state);
    const [oldest] = this.#ended;
    if (oldest !== undefined && this.#ended.size > MOST_ENDED) this.#abandon(oldest);
  }

  #abandon(state: string): void {
    const call = this.#calls.get(state)?.call;
    this.#release(state);
    call?.abandon();
  }

  #release(state: string): void {
    clearTimeout(this.#calls.get(state)?.timer);
    this.#calls.delete(state);
    this.#ended.delete(state);
  }
}

/** A request for input as MCP sends it (MCP specification, "Multi Round-Trip Requests"). */
export interface InputRequest {
  readonly method: "elicitation/create";
  readonly params: ElicitRequestFormParams;
}

/** Open questions by key, as a client gets them. */
export function toInputRequests(questions: ShownQuestions): Record<string, InputRequest> {
  const requests: Record<string, InputRequest> = {};
  for (const [key, { message, schema }] of Object.entries(questions)) {
    const params = { mode: "form", message, requestedSchema: schema };
    if (isSpecType.ElicitRequestFormParams(params)) {
      requests[key] = { method: "elicitation/create", params };
    }
  }
  return requests;
}

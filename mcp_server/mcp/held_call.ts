import type { Caller } from "../access/caller.ts";
import { firstOf } from "../shared/deadline.ts";
import type { Job } from "../tool/job.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { CallListeners, CallReports } from "./call_reports.ts";
import { Questions } from "./questions.ts";

/** What carries out a call. */
export interface Carrier {
  readonly outcome: Promise<CallOutcome>;
  stop(): void;
  /** Makes a task of the call; absent if it can't become one. */
  readonly keep?: () => Promise<Job>;
  /** Releases what is kept of the call, which was answered without a task. */
  readonly forget?: () => Promise<void>;
}

/** What a wait for a call ended with. */
export type CallEvent =
  | { readonly type: "ended"; readonly outcome: CallOutcome }
  | { readonly type: "asked" }
  | { readonly type: "late" };

/**
 * A call whose request may end before it: while the user answers its questions, or because it
 * becomes a task. Only the request that waits for it hears of it and can stop it.
 */
export class HeldCall {
  readonly questions = new Questions();
  /** Its reports, if it begins before the request that waits for it. */
  readonly reports: CallReports | undefined;
  #carrier: Carrier | undefined;
  #listeners: CallListeners;
  #isStopped = false;
  #canBeTask = true;

  constructor(reports?: CallReports) {
    this.reports = reports;
    this.#listeners = reports?.listeners ?? {};
  }

  /** Takes what carries it out; to be called once. */
  carriedBy(carrier: Carrier): void {
    this.#carrier = carrier;
    if (this.#isStopped) carrier.stop();
  }

  /** Passes on to the request that waits, if there is one. */
  readonly listeners: Required<CallListeners> = {
    onProgress: (update) => this.#listeners.onProgress?.(update),
    onOutput: (event) => this.#listeners.onOutput?.(event),
    onNotification: async (notification) => await this.#listeners.onNotification?.(notification),
  };

  /** Whether it can become a task. */
  get canBeTask(): boolean {
    return this.#canBeTask && this.#carrier?.keep !== undefined;
  }

  /** Whether its client has stopped it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Says that it can't be kept: the request that waits gets its outcome. */
  neverTask(): void {
    this.#canBeTask = false;
  }

  /** What carries it out. */
  get carrier(): Carrier {
    if (this.#carrier === undefined) throw new Error("Cannot use a call that nobody carries out");
    return this.#carrier;
  }

  /** Stops it, because its client wants no answer. */
  stop(): void {
    this.#isStopped = true;
    this.reports?.release();
    this.#carrier?.stop();
  }

  /** Lets a request hear of the call and stop it, until disposed of. */
  attach(signal: AbortSignal, listeners: CallListeners): Disposable {
    this.#listeners = listeners;
    const aborted = firstOf({ signal }, () => this.stop());
    return {
      [Symbol.dispose]: () => {
        this.#listeners = {};
        aborted[Symbol.dispose]();
      },
    };
  }

  /** Stops it; nobody will ask for it again. */
  abandon(): void {
    const { outcome, stop, forget } = this.carrier;
    this.reports?.[Symbol.dispose]();
    stop();
    void outcome.then(() => forget?.());
  }

  /** Waits for its end, for a question, or for a time. */
  async next(withinMs: number | undefined): Promise<CallEvent> {
    using deadline = firstOf({ timeoutMs: withinMs });
    return await Promise.race([
      this.carrier.outcome.then((outcome): CallEvent => ({ type: "ended", outcome })),
      this.questions.asked.then((): CallEvent => ({ type: "asked" })),
      deadline.expired.then((): CallEvent => ({ type: "late" })),
    ]);
  }
}

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

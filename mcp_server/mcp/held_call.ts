import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../access/caller.ts";
import { firstOf } from "../shared/deadline.ts";
import type { Job } from "../tool/job.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { CallListeners, CallReports } from "./call_reports.ts";
import { type ElicitRequestFormParams, isSpecType } from "@modelcontextprotocol/server";
import { JsonRpcError } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import { Questions, type ShownQuestions } from "../tool/questions.ts";
import type { AskUser } from "../tool/tool.ts";

/** What carries out a call. */
interface Carrier {
  readonly outcome: Promise<CallOutcome>;
  stop(): void;
  /** Makes a task of the call; absent if it can't become one. */
  readonly keep?: (questions: Questions) => Promise<Job>;
  /** Releases what is kept of the call, which was answered without a task. */
  readonly forget?: () => Promise<void>;
}

/** What a wait for a call ended with. */
type CallEvent =
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

const MISSING_CAPABILITY = -32_021;

/**
 * How a call asks the user of a client with these capabilities. If the client can't ask, the question
 * is refused; before 2026-07-28, as any failure.
 */
export function askOf(
  questions: Questions,
  capabilities: unknown,
  era: "legacy" | "modern",
): { readonly ask?: AskUser; readonly canAsk?: boolean } {
  if (canAsk(capabilities)) return { ask: (question) => questions.ask(question), canAsk: true };
  return era === "legacy" ? {} : { ask: refuseToAsk };
}

function refuseToAsk(): Promise<never> {
  return Promise.reject(
    new JsonRpcError("Cannot ask the user: the client does not declare elicitation by form", {
      rpcCode: MISSING_CAPABILITY,
      code: "CANNOT_ASK",
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    }),
  );
}

/** Whether the user of a client with these capabilities can be asked by form. */
function canAsk(capabilities: unknown): boolean {
  const elicitation = isJsonObject(capabilities) ? capabilities.elicitation : undefined;
  return isJsonObject(elicitation) && ("form" in elicitation || !("url" in elicitation));
}

import { firstOf } from "../../domain/deadline.ts";
import type { Job } from "../../domain/job.ts";
import type { CallOptions, CallOutcome } from "../../domain/service.ts";
import { Questions } from "./questions.ts";

/** What a call reports to the request that waits for it. */
export type CallListeners = Pick<CallOptions, "onProgress" | "onOutput" | "onNotification">;

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
  #carrier: Carrier | undefined;
  #listeners: CallListeners = {};
  #isStopped = false;
  #canBeTask = true;

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

  /** Says that it can't be kept: the request that waits gets its outcome. */
  neverTask(): void {
    this.#canBeTask = false;
  }

  /** What carries it out. */
  get carrier(): Carrier {
    if (this.#carrier === undefined) throw new Error("Cannot use a call that nobody carries out");
    return this.#carrier;
  }

  /** Lets a request hear of the call and stop it, until disposed of. */
  attach(signal: AbortSignal, listeners: CallListeners): Disposable {
    this.#listeners = listeners;
    const aborted = firstOf({ signal }, () => {
      this.#isStopped = true;
      this.#carrier?.stop();
    });
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

import type { Backlog } from "../http/body.ts";
import { firstOf } from "../shared/concurrency.ts";
import { JsonRpcError } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import type { Job } from "../tool/job.ts";
import { Questions } from "../tool/questions.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";
import type { AskUser, OpenQuestion, Reply } from "../tool/tool.ts";
import {
  type CallChannel,
  CallNotifications,
  CallProgress,
  type WantedReports,
} from "./call_notifications.ts";

/** What a running call reports. */
export type CallListeners = Pick<CallOptions, "onProgress" | "onOutput" | "onNotification">;

/** Reports that wait for a connection before a tool that awaits them has to wait. */
const MOST_AT_ONCE = 100;

/**
 * What one call reports to its client: progress, output and notifications. They wait, in order, until
 * there is a connection; a tool that awaits them waits while there are many. Of what the client does
 * not read, and of what waits, only so much is kept as the backlog holds, and the client gets the
 * number of those left out.
 */
export class CallReports implements Disposable {
  readonly #channel = new LateChannel();
  readonly #wanted: WantedReports;
  readonly #backlog: Backlog;
  #progress: CallProgress | undefined;
  #notifications: CallNotifications | undefined;
  readonly #begun = Promise.withResolvers<void>();
  #isEmpty = true;
  #isOver = false;

  constructor(wanted: WantedReports, backlog: Backlog) {
    this.#wanted = wanted;
    this.#backlog = backlog;
  }

  /** Whether nothing was reported. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Resolves with the first report. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  /** What the call reports to. */
  readonly listeners: Required<CallListeners> = {
    onProgress: (update) => this.#reported()?.update(update),
    onOutput: (event) => this.#reported()?.output(event),
    onNotification: async (notification) => {
      this.#begin();
      const { envelope } = this.#wanted;
      this.#notifications ??= new CallNotifications(this.#channel, this.#backlog, envelope);
      await this.#notifications.send(notification);
    },
  };

  /** Sends what waits, and from now on everything at once. */
  connect(channel: CallChannel): void {
    this.#channel.connect(channel);
    this.#progress ??= this.#startProgress();
  }

  /** Lets a tool that waits go on, although there is no connection. */
  release(): void {
    this.#channel.release();
  }

  /** Sends the rest, and how much was left out; the call has ended. */
  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#notifications?.[Symbol.dispose]();
    this.#progress?.[Symbol.dispose]();
    this.release();
  }

  /** The progress, if the client wants any, which then has begun. */
  #reported(): CallProgress | undefined {
    this.#progress ??= this.#startProgress();
    if (this.#progress !== undefined) this.#begin();
    return this.#progress;
  }

  #begin(): void {
    this.#isEmpty = false;
    this.#begun.resolve();
  }

  #startProgress(): CallProgress | undefined {
    const { progressToken } = this.#wanted;
    if (progressToken === undefined || this.#isOver) return undefined;
    return new CallProgress((message, isLast) => {
      if (this.#backlog.isFull && !isLast) return false;
      const params = { progressToken, ...message };
      this.#backlog.add(JSON.stringify(params).length);
      // A disconnected client can't be notified; its call is stopped by its signal.
      this.#channel.notify({ method: "notifications/progress", params }).catch(() => {});
      return true;
    });
  }
}

/** A channel to which messages can be sent before it is connected. */
class LateChannel implements CallChannel {
  #channel: CallChannel | undefined;
  readonly #waiting: ((channel: CallChannel) => Promise<void>)[] = [];
  readonly #released = Promise.withResolvers<void>();

  connect(channel: CallChannel): void {
    this.#channel = channel;
    // Nobody waits for these: the tool has gone on.
    for (const send of this.#waiting.splice(0)) send(channel).catch(() => {});
    this.release();
  }

  release(): void {
    this.#released.resolve();
  }

  notify(message: Parameters<CallChannel["notify"]>[0]): Promise<void> {
    return this.#send(async (channel) => await channel.notify(message));
  }

  log(...message: Parameters<CallChannel["log"]>): Promise<void> {
    return this.#send(async (channel) => await channel.log(...message));
  }

  /** Sends a message, or keeps it; the promise resolves when there is room for the next one. */
  #send(send: (channel: CallChannel) => Promise<void>): Promise<void> {
    if (this.#channel !== undefined) return send(this.#channel);
    this.#waiting.push(send);
    return this.#waiting.length < MOST_AT_ONCE ? Promise.resolve() : this.#released.promise;
  }
}

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
  #questions: Questions | undefined;
  readonly #asked = Promise.withResolvers<void>();
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

  /** What it asks its user. */
  get questions(): Questions {
    return this.#questions ??= new Questions();
  }

  /** Resolves with its first question. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** Asks its user; rejects as `Questions.ask()` does. */
  ask(question: OpenQuestion): Promise<Reply<unknown>> {
    const reply = this.questions.ask(question);
    if (this.questions.areOpen) this.#asked.resolve();
    return reply;
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

const MISSING_CAPABILITY = -32_021;

/**
 * How a call asks the user of a client with these capabilities. If the client can't ask, the question
 * is refused; before 2026-07-28, as any failure.
 */
export function askOf(
  call: Pick<HeldCall, "ask">,
  capabilities: unknown,
  era: "legacy" | "modern",
): { readonly ask?: AskUser; readonly canAsk?: boolean } {
  if (canAsk(capabilities)) return { ask: (question) => call.ask(question), canAsk: true };
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

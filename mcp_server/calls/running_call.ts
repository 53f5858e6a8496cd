import { askUser } from "./ask.ts";
import type { Caller } from "../access/caller.ts";
import type { CommandRunner, OutputEvent } from "../tool/command.ts";
import type { JobService } from "../tool/job_service.ts";
import type { Limits } from "../shared/limits.ts";
import type { Question, Reply } from "../tool/question.ts";
import type { RunAsUser } from "../access/run_as.ts";
import type { OutputOf, SchemaLike } from "../tool/schema.ts";
import type { CallOptions, Refusal, Transport } from "../tool/service.ts";
import type { CallNotification, ProgressUpdate, ToolExtra } from "../tool/tool.ts";
import { stoppedBy } from "./refusals.ts";

/**
 * A running call, which can be stopped. The signal is created only on first use, because most calls
 * end before.
 */
export class RunningCall implements Disposable {
  /** Id of the call, as in the audit. */
  readonly id: string;
  readonly #client: CallOptions["client"];
  #ended: PromiseWithResolvers<void> | undefined;
  #controller: AbortController | undefined;
  #onClientGone: (() => void) | undefined;
  /** Why the server stopped it. */
  #reason: Refusal | undefined;

  /** Takes whose signal stops the call, and its id. */
  constructor(client: CallOptions["client"], id: string) {
    this.id = id;
    this.#client = client;
  }

  /** Aborts when the call is stopped. */
  get signal(): AbortSignal {
    return (this.#controller ?? this.#listen()).signal;
  }

  /** Notices a client that has stopped the call before anything has asked for its signal. */
  noticeStop(): void {
    if (isKnownStopped(this.#client)) this.#controller ??= this.#listen();
  }

  /** Why the call has no answer, or `undefined` if it has not been stopped. */
  get refusal(): Refusal | undefined {
    const signal = this.#controller?.signal;
    return signal?.aborted === true ? this.#reason ?? stoppedBy(signal) : undefined;
  }

  /** Resolves when the call has ended. */
  get ended(): Promise<void> {
    return (this.#ended ??= Promise.withResolvers()).promise;
  }

  /** Stops the call; returns whether it was not stopped before. */
  stop(reason: Refusal): boolean {
    const controller = this.#controller ?? this.#listen();
    if (controller.signal.aborted) return false;
    this.#reason = reason;
    controller.abort(reason);
    return true;
  }

  /** Forgets the client; the call has ended. */
  [Symbol.dispose](): void {
    this.#ended?.resolve();
    if (this.#onClientGone === undefined) return;
    this.#client.signal.removeEventListener("abort", this.#onClientGone);
  }

  #listen(): AbortController {
    const controller = this.#controller = new AbortController();
    const { signal } = this.#client;
    if (signal.aborted) {
      controller.abort(signal.reason);
    } else {
      this.#onClientGone = () => controller.abort(signal.reason);
      signal.addEventListener("abort", this.#onClientGone, { once: true });
    }
    return controller;
  }
}

/** Whether a client has stopped its call, without asking for a signal that would have to be created. */
function isKnownStopped(client: CallOptions["client"]): boolean {
  return client instanceof AbortController ? client.signal.aborted : client.isStopped === true;
}

/** What a call gets from the server when it needs it. */
export interface ExtraParts {
  /** Creates the command runner of one call; it is disposed of when the call ends. */
  readonly createRunner: (callId: string, limits: Limits) => CommandRunner & Disposable;
  /** The limits of the call. */
  readonly limits: Limits;
  /** What commands of the server's own user have as `$HOME`. */
  readonly home?: string | undefined;
  /** The jobs of a caller; the address of its client and its transport are for the audit. */
  readonly jobsOf: (caller: Caller, address?: string, transport?: Transport) => JobService;
}

/** What a running tool knows about its call; a class, because one is created for every call. */
export class CallExtra implements ToolExtra, Disposable {
  readonly requestId: string | number;
  readonly #call: Pick<RunningCall, "id" | "signal">;
  readonly #options: CallOptions;
  readonly #parts: ExtraParts;
  #user: RunAsUser | undefined;
  #runner: (CommandRunner & Disposable) | undefined;

  /** Takes the call that may be stopped, its caller's listeners, and what it may use. */
  constructor(
    call: Pick<RunningCall, "id" | "signal">,
    options: CallOptions,
    parts: ExtraParts,
  ) {
    this.#call = call;
    this.#options = options;
    this.#parts = parts;
    this.requestId = options.requestId ?? 0;
  }

  get caller(): Caller {
    return this.#options.caller;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get commands(): CommandRunner {
    const runner = this.#runner ??= this.#parts.createRunner(this.#call.id, this.#parts.limits);
    const user = this.#user;
    const { traceparent } = this.#options;
    if (user === undefined && traceparent === undefined) return runner;
    const trace: Record<string, string> = traceparent === undefined
      ? {}
      : { TRACEPARENT: traceparent };
    return {
      run: (spec, options) => {
        const traced = { ...spec, env: { ...trace, ...spec.env } };
        return runner.run(traced, options.helper === true ? options : { ...options, user });
      },
    };
  }

  get user(): RunAsUser | undefined {
    return this.#user;
  }

  get home(): string | undefined {
    return this.#user?.home ?? this.#parts.home;
  }

  /** Lets commands run as another user; called before the tool gets to see this. */
  runAs(user: RunAsUser | undefined): void {
    this.#user = user;
  }

  get limits(): Limits {
    return this.#parts.limits;
  }

  get jobs(): JobService {
    const { caller, address, transport } = this.#options;
    return this.#parts.jobsOf(caller, address, transport);
  }

  get _meta(): Readonly<Record<string, unknown>> | undefined {
    return this.#options.meta;
  }

  progress(update: ProgressUpdate): void {
    this.#options.onProgress?.(update);
  }

  output(event: OutputEvent): void | Promise<void> {
    return this.#options.onOutput?.(event);
  }

  async ask<Schema extends SchemaLike>(
    question: Question<Schema>,
  ): Promise<Reply<OutputOf<Schema>>> {
    return await askUser(question, this.#options.ask, this.signal);
  }

  async sendNotification(notification: CallNotification): Promise<void> {
    await this.#options.onNotification?.(notification);
  }

  /** Releases the call's resources; the tool has ended. */
  [Symbol.dispose](): void {
    this.#runner?.[Symbol.dispose]();
  }
}

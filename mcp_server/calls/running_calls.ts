import { type Caller, isAdmin } from "../access/caller.ts";
import { type CallerSecrets, NO_SECRETS } from "../access/caller_secrets.ts";
import { within } from "../shared/concurrency.ts";
import type { AskingClient, CallOptions, Transport } from "../tool/service.ts";
import type { LiveCall, LiveCallList, LiveCalls, Stopper } from "../tool/fleet_desk.ts";
import type { CallNotification, ProgressUpdate, Refusal } from "../tool/result.ts";
import type { AuditedStart, AuditLog } from "./audit.ts";
import { answerBoundsOf } from "./admission.ts";
import { askUser } from "./approvals.ts";
import { stoppedBy, stoppedByCaller } from "./refusals.ts";
import type { RunAsUser } from "../access/run_as.ts";
import type { Limits } from "../shared/limits.ts";
import type { CommandRunner, EndedCommand, OutputEvent } from "../tool/command.ts";
import type { CallJob, JobService } from "../tool/job_service.ts";
import type { AnswerBounds, Question, Reply, ToolExtra } from "../tool/tool.ts";
import type { OutputOf, SchemaLike } from "../tool/schema.ts";

/** How long stopped calls are waited for; their processes end within 4 s. */
const STOP_MS = 5_000;

const MOST_LISTED = 1_000;

/** A call whose start is recorded. */
interface BegunCall {
  readonly tool: string;
  readonly started: AuditedStart;
  readonly options: Pick<CallOptions, "client" | "caller" | "transport" | "address">;
  /** The id of the job, once the call is a run of one. */
  readonly jobId?: (() => string | undefined) | undefined;
}

/**
 * A running call, which can be stopped. The signal is created only on first use, because most calls
 * end before.
 */
export class RunningCall implements Disposable {
  /** What is known of the call from its start. */
  readonly begun: BegunCall;
  /** What it waits for before its tool runs. */
  waiting: LiveCall["waiting"];
  readonly #onEnd: ((call: RunningCall) => void) | undefined;
  #ended: PromiseWithResolvers<void> | undefined;
  #controller: AbortController | undefined;
  #onClientGone: (() => void) | undefined;
  /** Why the server stopped it. */
  #reason: Refusal | undefined;

  constructor(begun: BegunCall, onEnd?: (call: RunningCall) => void) {
    this.begun = begun;
    this.#onEnd = onEnd;
  }

  /** Id of the call, as in the audit. */
  get id(): string {
    return this.begun.started.id;
  }

  /** Aborts when the call is stopped. */
  get signal(): AbortSignal {
    return (this.#controller ?? this.#listen()).signal;
  }

  /** Notices a client that has stopped the call before anything has asked for its signal. */
  noticeStop(): void {
    if (isKnownStopped(this.begun.options.client)) this.#controller ??= this.#listen();
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
    this.#onEnd?.(this);
    this.#ended?.resolve();
    if (this.#onClientGone === undefined) return;
    this.begun.options.client.signal.removeEventListener("abort", this.#onClientGone);
  }

  #listen(): AbortController {
    const controller = this.#controller = new AbortController();
    const { signal } = this.begun.options.client;
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

/** The calls of all transports and all jobs, from their start to their end. */
export class RunningCalls implements LiveCalls {
  /** A set, because its upkeep costs each call less than that of a map by ids. */
  readonly #calls = new Set<RunningCall>();
  readonly #audit: Pick<AuditLog, "did">;
  readonly #stopMs: number;

  /** The audit records who stops a call; stopped calls are waited for at most `stopMs`. */
  constructor(audit: Pick<AuditLog, "did">, options: { readonly stopMs?: number } = {}) {
    const { stopMs = STOP_MS } = options;
    this.#audit = audit;
    this.#stopMs = stopMs;
  }

  /** Begins a call, which is among these until it is disposed of. */
  begin(begun: BegunCall): RunningCall {
    const call = new RunningCall(begun, this.#remove);
    this.#calls.add(call);
    return call;
  }

  readonly #remove = (call: RunningCall): void => void this.#calls.delete(call);

  list(caller: Caller): LiveCallList {
    const seen = [...this.#calls].filter((call) => isSeenBy(caller, call));
    return {
      calls: seen.slice(0, MOST_LISTED).map(toLiveCall),
      more: Math.max(0, seen.length - MOST_LISTED),
    };
  }

  find(id: string, caller: Caller): LiveCall | undefined {
    const call = this.#findOf(id, caller);
    return call && toLiveCall(call);
  }

  async stop(id: string, { caller, address }: Stopper): Promise<LiveCall | undefined> {
    const call = this.#findOf(id, caller);
    if (call === undefined) return undefined;
    const { tool, jobId } = call.begun;
    if (call.stop(stoppedByCaller(caller))) {
      const stopped = { call: id, job: jobId?.(), tool };
      void this.#audit.did("stop", { ...stopped, transport: "http", caller: caller.name, address });
    }
    const hasEnded = await within(call.ended, this.#stopMs);
    return { ...toLiveCall(call), stopping: !hasEnded };
  }

  /** Resolves once no call runs. */
  async idle(): Promise<void> {
    while (this.#calls.size > 0) await Promise.all([...this.#calls].map(({ ended }) => ended));
  }

  /** Stops all calls, and waits until they have ended, for at most 5 s. */
  async stopAll(reason: Refusal): Promise<void> {
    const running = [...this.#calls];
    for (const call of running) call.stop(reason);
    await within(Promise.all(running.map(({ ended }) => ended)), this.#stopMs);
  }

  #findOf(id: string, caller: Caller): RunningCall | undefined {
    const isIt = (call: RunningCall) => call.id === id && isSeenBy(caller, call);
    return this.#calls.values().find(isIt);
  }
}

function isSeenBy(caller: Caller, { begun }: RunningCall): boolean {
  return begun.options.caller.name === caller.name || isAdmin(caller);
}

function toLiveCall({ begun, refusal, waiting }: RunningCall): LiveCall {
  const { tool, started, options, jobId } = begun;
  const { caller, transport, address } = options;
  const job = jobId?.();
  return {
    id: started.id,
    tool,
    caller: caller.name,
    transport,
    ...(address === undefined ? {} : { address }),
    startedAt: started.time,
    elapsedMs: Math.round(performance.now() - started.startedAt),
    ...(job === undefined ? {} : { job }),
    ...(waiting === undefined ? {} : { waiting }),
    stopping: refusal !== undefined,
  };
}

/** What a call gets from the server when it needs it. */
export interface ExtraParts {
  /** Creates the command runner of one call; it is disposed of when the call ends. */
  readonly createRunner: (
    callId: string,
    limits: Limits,
    /** A word in the environment of its processes. */
    mark?: string,
  ) => CommandRunner & Disposable;
  /** That word. @default {none} */
  readonly mark?: string | undefined;
  /** The limits of the call. */
  readonly limits: Limits;
  /** Called with each command of the call that has ended. */
  readonly onCommandEnd?: (command: EndedCommand) => void;
  /** What commands of the server's own user have as `$HOME`. */
  readonly home?: string | undefined;
  /** The secrets that the caller may use. */
  readonly secrets?: CallerSecrets;
  /** The jobs of a caller, as `JobHost.forCaller()` has them. */
  readonly jobsOf: (
    caller: Caller,
    address?: string,
    transport?: Transport,
    asking?: AskingClient,
  ) => JobService;
}

/** What a running tool knows about its call; a class, because one is created for every call. */
export class CallExtra implements ToolExtra, Disposable {
  readonly requestId: string | number;
  readonly #call: Pick<RunningCall, "id" | "signal">;
  readonly #options: CallOptions;
  readonly #parts: ExtraParts;
  #user: RunAsUser | undefined;
  #runner: (CommandRunner & Disposable) | undefined;

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
    const runner = this.#runner ??= this.#createRunner();
    const [user, { mask }] = [this.#user, this.secrets];
    const { traceparent } = this.#options;
    if (user === undefined && traceparent === undefined && mask === undefined) return runner;
    const trace: Record<string, string> = traceparent === undefined
      ? {}
      : { TRACEPARENT: traceparent };
    return {
      run: (spec, options) => {
        const traced = { ...spec, env: { ...trace, ...spec.env } };
        return runner.run(traced, options.helper === true ? options : { ...options, user, mask });
      },
    };
  }

  #createRunner(): CommandRunner & Disposable {
    const { createRunner, limits, mark } = this.#parts;
    return createRunner(this.#call.id, limits, mark);
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

  get secrets(): CallerSecrets {
    return this.#parts.secrets ?? NO_SECRETS;
  }

  get jobs(): JobService {
    const { caller, address, transport, ask, canAsk } = this.#options;
    const asking = canAsk === true && ask ? { ask, signal: this.signal } : undefined;
    return this.#parts.jobsOf(caller, address, transport, asking);
  }

  get job(): CallJob | undefined {
    return this.#options.job;
  }

  get answerBounds(): AnswerBounds | undefined {
    return answerBoundsOf(this.#options, this.#parts.limits);
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

  commandEnded(command: EndedCommand): void {
    this.#parts.onCommandEnd?.(command);
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

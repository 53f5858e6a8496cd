import type { Caller } from "../access/caller.ts";
import type { CallDispatcher } from "../calls/call_dispatcher.ts";
import type { Adoptable } from "../calls/admission.ts";
import { firstOf, within } from "../shared/concurrency.ts";
import { ToolError } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import type { JobRequest, KeptJob } from "../tool/job_service.ts";
import type { OutputEvent } from "../tool/command.ts";
import type { CallOutcome, ProgressUpdate, ToolResource, ToolResult } from "../tool/result.ts";
import type { CallOptions, KeepableOptions, ToolService } from "../tool/service.ts";
import type { AskUser, ToolDefinition } from "../tool/tool.ts";
import type { LiveJob } from "./live_job.ts";

/** The argument by which a call asks to go on as a job, and its value. */
const ON_TIMEOUT = { argument: "onTimeout", value: "job" };

/** How long the answer to a call that has become a job waits until the end of that is stored. */
const STORED_MS = 1_000;

/**
 * Carries out calls. One whose tool runs commands may become a job: because its time-out is over and it
 * asks to go on, or to keep the output that its answer leaves out. Until then no store is asked.
 */
export class KeptCalls implements ToolService {
  readonly #service: Pick<CallDispatcher, keyof ToolService>;
  readonly #jobs: Adopter;

  constructor(
    service: Pick<CallDispatcher, keyof ToolService>,
    jobs: Adopter,
  ) {
    this.#service = service;
    this.#jobs = jobs;
  }

  count(caller: Caller): Promise<number> {
    return this.#service.count(caller);
  }

  list(caller: Caller): Promise<readonly ToolDefinition[]> {
    return this.#service.list(caller);
  }

  find(name: string, caller: Caller): Promise<ToolDefinition | undefined> {
    return this.#service.find(name, caller);
  }

  resources(caller: Caller): Promise<readonly ToolResource[]> {
    return this.#service.resources(caller);
  }

  async call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    if (!mayBeKept(await this.find(name, options.caller), input, options)) {
      return await this.#service.call(name, input, options);
    }
    const { client, caller } = options;
    const call = new PendingCall(
      { caller, request: { tool: name, args: input }, options, client, jobs: this.#jobs },
      (own, adoptable) => this.#service.call(name, input, own, adoptable),
    );
    return await Promise.race([call.answered, endOf(call)]);
  }
}

/** The outcome of a call; once the end of its job is stored if it has become one. */
async function endOf(call: PendingCall): Promise<CallOutcome> {
  const outcome = await call.outcome;
  if (call.isKept) await within(call.stored(), STORED_MS);
  void call.forget();
  return outcome;
}

/** Whether a call may become a job, as its tool, its client or its arguments say. */
function mayBeKept(
  tool: ToolDefinition | undefined,
  input: unknown,
  { transport }: CallOptions,
): boolean {
  const { taskSupport = "forbidden" } = tool?.execution ?? {};
  if (taskSupport === "forbidden") return false;
  if (transport === "mcp-http" || transport === "mcp-stdio") return true;
  return isJsonObject(input) && input[ON_TIMEOUT.argument] === ON_TIMEOUT.value;
}

/** What hears of a running call: its job, which may also stop it. */
type JobListeners = Pick<CallOptions, "client" | "onOutput" | "onProgress">;

/** A running call that is to become a job. */
export interface AdoptedCall {
  /** The id that the job is to have, which is a word in the environment of the call's processes. */
  readonly id: string;
  readonly caller: Caller;
  readonly request: JobRequest;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Passes on all that it has reported, and what it reports from now on; resolves with its outcome. */
  readonly connect: (listeners: JobListeners) => Promise<CallOutcome>;
}

/** The job of a running call. */
interface AdoptedJob {
  readonly live: Pick<LiveJob, "outcome" | "ended" | "forget">;
  /** Stores it, with its output so far, once; as `CallJob.keep()` rejects. */
  keep(): Promise<void>;
}

/** Makes jobs of running calls. */
export interface Adopter {
  /**
   * Resolves with the job of a call, of which only much output is stored before it is kept. Rejects with
   * a `JobError` if no jobs can be kept.
   */
  adopt(call: AdoptedCall): Promise<AdoptedJob>;
}

/**
 * How much of its output a call holds in memory before it gets a job, and how much while it waits for
 * one; with what each piece costs.
 */
const MOST_HELD = { bytes: 64 * 1024, waiting: 256 * 1024, ofPiece: 64 };
/** How many updates of progress it holds: the latest. */
const MOST_UPDATES = 100;

/** Whose call may become a job, and who hears of it. */
interface PendingParts {
  readonly caller: Caller;
  readonly request: JobRequest;
  readonly options: KeepableOptions;
  /** Whose signal stops the call until it is answered; its tool may answer it before its end. */
  readonly client?: CallOptions["client"];
  readonly jobs: Adopter;
}

/**
 * A running call that may become a job. Until it does, or its output outgrows what is held in memory,
 * nothing of jobs is used for it.
 */
export class PendingCall {
  /** How it ended; never rejects. */
  readonly outcome: Promise<CallOutcome>;
  readonly #parts: PendingParts;
  readonly #id = crypto.randomUUID();
  readonly #startedAt = Date.now();
  readonly #controller = new AbortController();
  readonly #answered = Promise.withResolvers<CallOutcome>();
  /** The same as `outcome`, before the job has it. */
  readonly #carried: Promise<CallOutcome>;
  readonly #length = { stdout: 0, stderr: 0 };
  #held: OutputEvent[] = [];
  #heldBytes = 0;
  #updates: ProgressUpdate[] = [];
  #listeners: JobListeners | undefined;
  #adopting: Promise<AdoptedJob> | undefined;
  #keeping: Promise<void> | undefined;
  #following: Disposable | undefined;
  #entered: Disposable | undefined;
  #isAnswered = false;
  #isKept = false;
  /** Whether it can't become a job any more, so that nothing is held for that. */
  #isAlone = false;

  constructor(
    parts: PendingParts,
    carryOut: (options: CallOptions, adoptable: Adoptable) => Promise<CallOutcome>,
  ) {
    this.#parts = parts;
    this.#carried = carryOut(this.#toOptions(parts), {
      mark: this.#id,
      jobId: () => this.#isKept ? this.#id : undefined,
      onEntered: (entered) => this.#entered = entered,
    });
    this.outcome = this.#end();
  }

  /** Whether its tool, or its transport, has made a job of it. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Resolves when its tool answers it as a job, and goes on. */
  get answered(): Promise<CallOutcome> {
    return this.#answered.promise;
  }

  /** Stores it as a job; as `CallJob.keep()` promises. */
  async keep(): Promise<KeptJob> {
    const kept = { id: this.#id, next: { ...this.#length } };
    await (this.#keeping ??= this.#adopt().then((job) => job.keep()));
    this.#isKept = true;
    // From now on, the number of jobs bounds it.
    this.#entered?.[Symbol.dispose]();
    return kept;
  }

  /** Removes what is stored of a call that is answered without a job, once it has ended. */
  async forget(): Promise<void> {
    // What its tool has kept is named in its answer.
    if (!this.#isKept) await (await this.#job())?.forget();
  }

  /** Resolves when the end of its job is stored, or can't be stored before the server stops. */
  async stored(): Promise<void> {
    await (await this.#job())?.ended;
  }

  /** Its job, also before that is kept; `undefined` if there is none. */
  async #job(): Promise<AdoptedJob["live"] | undefined> {
    return (await this.#adopting?.catch(() => undefined))?.live;
  }

  /** Stops it, with all processes; without a reason, it is cancelled. */
  stop(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  #toOptions({ caller, options, client }: PendingParts): CallOptions {
    const { onProgress, onNotification, ask } = options;
    const keep = () => this.keep();
    return {
      ...options,
      caller,
      client: this.#toClient(client),
      job: client === undefined ? { keep } : { keep, answer: (result) => this.#answer(result) },
      onOutput: (event) => this.#output(event),
      onProgress: (update) => {
        if (!this.#isAnswered) onProgress?.(update);
        this.#progress(update);
      },
      onNotification: onNotification &&
        (async (notification) => this.#isAnswered ? undefined : await onNotification(notification)),
      ask: ask && ((question) => this.#isAnswered ? cannotAsk() : ask(question)),
    };
  }

  /** Its client, whose signal is read when that of the call is. */
  #toClient(client: PendingParts["client"]): CallOptions["client"] {
    const follow = () => {
      if (client === undefined || this.#isAnswered) return;
      this.#following ??= firstOf(client, () => this.stop(client.signal.reason));
    };
    const { signal } = this.#controller;
    return {
      get signal() {
        follow();
        return signal;
      },
      get isStopped() {
        return client?.isStopped;
      },
    };
  }

  async #end(): Promise<CallOutcome> {
    const outcome = await this.#carried;
    this.#following?.[Symbol.dispose]();
    // Its job may have failed because its output could not be stored.
    return this.#isKept ? await (await this.#job())?.outcome ?? outcome : outcome;
  }

  #answer(result: ToolResult): void {
    this.#isAnswered = true;
    this.#following?.[Symbol.dispose]();
    this.#answered.resolve({ ok: true, result });
  }

  #output(event: OutputEvent): void | Promise<void> {
    const { stream, text, bytes = encoder.encode(text) } = event;
    const sent = this.#isAnswered ? undefined : this.#parts.options.onOutput?.(event);
    this.#length[stream] += bytes.length;
    const stored = this.#store({ ...event, bytes });
    if (sent === undefined) return stored;
    // A client that has its answer reads no more.
    const read = Promise.race([sent, this.#answered.promise]);
    return Promise.all([read, stored]).then(() => {});
  }

  /** Gives output to the job, or holds it for one. */
  #store(event: OutputEvent & { readonly bytes: Uint8Array }): void | Promise<void> {
    if (this.#listeners !== undefined) return this.#listeners.onOutput?.(event);
    if (this.#isAlone) return;
    this.#held.push({ ...event, bytes: event.bytes.slice() });
    this.#heldBytes += event.bytes.length + MOST_HELD.ofPiece;
    if (this.#heldBytes <= MOST_HELD.bytes) return;
    const adopted = this.#adopt().then(() => {}, () => {});
    return this.#heldBytes > MOST_HELD.waiting ? adopted : undefined;
  }

  #progress(update: ProgressUpdate): void {
    if (this.#listeners !== undefined) this.#listeners.onProgress?.(update);
    if (this.#listeners !== undefined || this.#isAlone) return;
    if (this.#updates.length === MOST_UPDATES) this.#updates.shift();
    this.#updates.push(update);
  }

  #adopt(): Promise<AdoptedJob> {
    const { caller, request, jobs } = this.#parts;
    const [id, startedAt] = [this.#id, this.#startedAt];
    return this.#adopting ??= jobs.adopt({
      id,
      caller,
      request,
      startedAt,
      connect: (listeners) => this.#connect(listeners),
    }).catch((error) => {
      this.#isAlone = true;
      this.#release();
      throw error;
    });
  }

  #connect(listeners: JobListeners): Promise<CallOutcome> {
    for (const event of this.#held) listeners.onOutput?.(event);
    for (const update of this.#updates) listeners.onProgress?.(update);
    this.#release();
    this.#listeners = listeners;
    firstOf(listeners.client, () => this.stop(listeners.client.signal.reason));
    return this.#carried;
  }

  #release(): void {
    this.#held = [];
    this.#updates = [];
  }
}

function cannotAsk(): ReturnType<AskUser> {
  const message = "Cannot ask the user: the call goes on as a job, and its client has its answer";
  return Promise.reject(new ToolError(message, { code: "CANNOT_ASK" }));
}

const encoder = new TextEncoder();

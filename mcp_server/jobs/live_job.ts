import type { Caller } from "../access/caller.ts";
import { messageOf, ToolError } from "../shared/error.ts";
import type { TerminalSize } from "../tool/command.ts";
import type { KeptJob } from "../tool/job_service.ts";
import { JobError } from "../tool/job.ts";
import type { JobCommand, JobEnd, NewJob, StoredJob } from "./job_store.ts";
import type { CallOptions } from "../tool/service.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { CallOutcome, Refusal } from "../tool/result.ts";
import type { ApprovalWait, PreparedCall } from "../calls/admission.ts";
import { CANCELLED, stoppedBy } from "../calls/refusals.ts";
import { CommandInput, type InputVerdict } from "../run/child_io.ts";
import type { CommandRunnerPool } from "../run/command_runner.ts";
import { firstOf, within } from "../shared/concurrency.ts";
import type { Priority } from "../shared/semaphore.ts";
import type { ShownQuestions } from "../tool/job.ts";
import { Questions } from "../tool/questions.ts";
import type { OpenQuestion, Reply } from "../tool/tool.ts";
import { JobLog, type JobLogOptions } from "./job_log.ts";

/** What all jobs of a server are run with. */
interface LiveJobParts extends Pick<JobLogOptions, "store" | "meter"> {
  readonly pool: Pick<CommandRunnerPool, "forJob">;
  readonly limits: Limits;
  readonly log: Log;
}

/** The call of a job. */
export interface JobCall {
  readonly run: (PreparedCall & { ok: true })["run"];
  readonly caller: Caller;
  /**
   * Waits until the call is approved, before it waits for a permit; resolves with the refusal of one that
   * is not. Absent if it needs no approval.
   */
  readonly approve?: (wait: ApprovalWait) => Promise<Refusal | undefined>;
  /** The caller as it is when the job has its permit, or why it may not begin. @default {as it was} */
  readonly admit?: () => Admittance;
  readonly priority: Priority;
  readonly meta?: CallOptions["meta"];
  readonly asAnswer?: CallOptions["asAnswer"];
  /** The terminal of its first command. @default {none} */
  readonly terminal?: TerminalSize | undefined;
  /** When it began, in milliseconds since 1970. @default {once it has its permit} */
  readonly startedAt?: number;
  /** Queues the job for another server if this one stops; absent if it may not be started again. */
  readonly giveBack?: (cancelled: JobEnd) => Promise<boolean>;
}

/** Who begins a job, with the rights of that moment; or why nobody does. */
export type Admittance =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: Refusal };

/** How long a question of a job waits; as long as one of a call over MCP. */
const ANSWER_MS = 660_000;
/** Pauses between attempts to store the end of a job, in milliseconds. */
const RETRIES = { first: 500, most: 30_000 };

/** A job of this server that has not ended, or a call that may become one. */
export class LiveJob {
  readonly id: string;
  /** Its outcome, before that is stored; never rejects. */
  readonly outcome: Promise<CallOutcome>;
  /** Resolves when its end is stored, or can't be stored before the server stops. */
  readonly ended: Promise<void>;
  /** The input of its first command, if it takes input. */
  readonly #input: CommandInput | undefined;
  readonly #mark: string;
  readonly #call: JobCall;
  readonly #parts: LiveJobParts;
  readonly #controller = new AbortController();
  readonly #log: JobLog;
  readonly #closing = Promise.withResolvers<void>();
  /** Why it can't continue, although nobody stopped it. */
  #failure: Refusal | undefined;
  /** What it asks: as a job, or since it was a call; `undefined` until then. */
  #questions: Questions | undefined;
  #storing: Promise<void> = Promise.resolve();
  #isOurs = true;
  #hasBegun = false;
  /** Whether it is a job, and not only a call of which much is stored in case it becomes one. */
  #isJob: boolean;

  constructor(job: NewJob | StoredJob, call: JobCall, parts: LiveJobParts) {
    this.id = job.id;
    this.#input = job.stdin ? new CommandInput() : undefined;
    this.#mark = markOf(job);
    this.#call = call;
    this.#parts = parts;
    const { store, meter, limits: { maxJobs } } = parts;
    const onFailed = (error: unknown) => this.#fail(error);
    this.#log = new JobLog(job, { store, meter, maxJobs, onFailed });
    this.#isJob = this.#log.isStored;
    this.outcome = this.#run();
    this.ended = this.outcome.then((outcome) => this.#end(outcome));
  }

  /** Whether it waits for a permit or runs; `undefined` for a call that is no job yet. */
  get state(): "queued" | "running" | undefined {
    if (!this.#log.isStored) return undefined;
    return this.#hasBegun ? "running" : "queued";
  }

  /** Its id, and the length of its output so far. */
  get kept(): KeptJob {
    return { id: this.id, next: this.#log.length };
  }

  /**
   * Makes a job of a call, and stores its output so far. Rejects with `BUSY` if too many are live, and
   * as the store does; the call goes on in any case.
   */
  async keep(): Promise<void> {
    await this.#log.keep();
    this.#isJob = true;
    await this.#log.flush();
  }

  /** Removes what is stored of a call that was answered without a job, once it has ended. */
  async forget(): Promise<void> {
    this.#log.forget();
    await this.ended;
    await this.#log.remove();
  }

  /** Writes to its input, or ends that. */
  write(command: Exclude<JobCommand, { kind: "cancel" }>): InputVerdict {
    if (this.#input === undefined) return "closed";
    return command.kind === "stdin" ? this.#input.write(command.bytes) : this.#input.end();
  }

  /** What it asks its user; `undefined` if it asks nothing. */
  get questions(): ShownQuestions | undefined {
    return this.#questions?.areOpen === true ? this.#questions.shown : undefined;
  }

  /** Asks what a call asks that has become this job. */
  offer(questions: Questions): void {
    this.#questions = questions;
    questions.onChange = () => this.#storeQuestions();
    if (questions.areOpen) this.#storeQuestions();
  }

  /** Answers questions; those that others have answered already are left alone. */
  answer(replies: Readonly<Record<string, unknown>>): void {
    if (this.#questions === undefined) return;
    this.#questions.answer(replies);
    // Who sent what is no reply has taken its question for answered.
    const { shown } = this.#questions;
    if (Object.keys(replies).some((key) => Object.hasOwn(shown, key))) this.#storeQuestions();
  }

  /**
   * Stops it, with all processes; without a reason, it is cancelled. Returns whether it was not stopped
   * before.
   */
  stop(reason: Refusal = CANCELLED): boolean {
    if (this.#controller.signal.aborted) return false;
    this.#controller.abort(reason);
    return true;
  }

  /** Stops it if it was stored, because it is no longer this server's: nothing more is written. */
  abandon(): void {
    if (this.#log.isStored && this.#isOurs) this.#fail(undefined);
  }

  /** Stops it because the server stops. */
  close(reason: Refusal): void {
    this.stop(reason);
    this.#closing.resolve();
  }

  async #run(): Promise<CallOutcome> {
    const outcome = await this.#carryOut();
    // Whoever waits for a call is to know whether its output is stored; a job is there to look at.
    await (this.#call.priority === "job" ? this.#log.settle() : this.#log.flush());
    this.#input?.close();
    return this.#failure === undefined ? outcome : refuse(this.#failure);
  }

  async #end(outcome: CallOutcome): Promise<void> {
    if (!this.#isOurs) return;
    const times = toEndTimes(this.#parts.limits);
    const isStopped = !outcome.ok && outcome.refusal.kind === "SHUTTING_DOWN";
    const { giveBack } = this.#call;
    if (isStopped && giveBack !== undefined) {
      const cancelled: JobEnd = { state: "cancelled", ...times, outcome: refuse(CANCELLED) };
      return await this.#giveBack(() => giveBack(cancelled));
    }
    await this.#store({ state: toState(outcome), ...times, outcome });
  }

  /** Leaves it to another server; if that can't be stored, the end of the lease does the same. */
  async #giveBack(giveBack: () => Promise<boolean>): Promise<void> {
    const { log } = this.#parts;
    try {
      if (await giveBack()) log.info("a job is left to another server", { job: this.id });
    } catch (error) {
      log.error("a job can't be queued again", { job: this.id, reason: messageOf(error) });
    }
  }

  async #carryOut(): Promise<CallOutcome> {
    const { run, priority, meta, asAnswer, terminal, ...call } = this.#call;
    const { signal } = this.#controller;
    const [mark, input] = [this.#mark, this.#input];
    using runner = this.#parts.pool.forJob({ priority, mark, input, terminal });
    let { caller } = call;
    try {
      const stdin = this.#input !== undefined;
      const unapproved = await call.approve?.({ signal, stdin, job: () => this.id });
      if (unapproved !== undefined) return refuse(unapproved);
      if (priority === "job") await runner.ready(signal);
      signal.throwIfAborted();
      const admittance = call.admit?.() ?? { ok: true, caller };
      if (!admittance.ok) return admittance;
      caller = admittance.caller;
      this.#hasBegun = await this.#log.begin(call.startedAt);
      if (!this.#hasBegun) this.#fail(undefined);
    } catch (error) {
      return refuse(signal.aborted ? stoppedBy(signal) : toRefusal(error));
    }
    return await run({
      transport: "job",
      client: this.#controller,
      caller,
      meta,
      asAnswer,
      job: { keep: () => Promise.resolve(this.kept) },
      onOutput: (event) => this.#log.output(event),
      onProgress: (update) => this.#log.progress(update),
      // The client of a call that is a job from its start can't answer.
      ...(priority === "job" ? { ask: (question: OpenQuestion) => this.#ask(question) } : {}),
    }, { runner, jobId: () => this.#log.isStored ? this.id : undefined });
  }

  /** Asks whoever may answer for the job, for a time. */
  async #ask(question: OpenQuestion): Promise<Reply<unknown>> {
    const { signal } = this.#controller;
    using late = firstOf({ signal, timeoutMs: ANSWER_MS });
    const withdrawn = new AbortController();
    using _withdraw = { [Symbol.dispose]: () => withdrawn.abort() };
    const questions = this.#questions ?? new Questions();
    if (this.#questions === undefined) this.offer(questions);
    const reply = questions.ask({ ...question, signal: withdrawn.signal });
    const end = await Promise.race([reply, late.expired]);
    if (typeof end === "object") return end;
    const message = "Cannot ask the user: nobody has answered the job for 11 minutes";
    throw new ToolError(message, { code: "CANNOT_ASK" });
  }

  /** Lets all servers know what it asks; one change after another. */
  #storeQuestions(): void {
    this.#storing = this.#storing.then(async () => {
      try {
        await this.#log.ask(this.#questions?.shown ?? {});
      } catch (error) {
        const reason = messageOf(error);
        this.#parts.log.warn("the questions of a job are not stored", { job: this.id, reason });
      }
    });
  }

  /**
   * Ends the job, because its output can't be kept, or it belongs to another server. A call that is no
   * job goes on without.
   */
  #fail(error: unknown): void {
    if (!this.#isJob) {
      this.#log.forget();
      return;
    }
    if (error === undefined) this.#isOurs = false;
    else this.#failure ??= toRefusal(error);
    this.#parts.log.error("a job can't be kept, and is stopped", {
      job: this.id,
      reason: error === undefined ? "it is no longer this server's" : messageOf(error),
    });
    this.stop();
  }

  /** Stores the end; while the store fails, tries again until the server stops. */
  async #store(end: JobEnd): Promise<void> {
    const { log } = this.#parts;
    for (let pause = RETRIES.first;; pause = Math.min(2 * pause, RETRIES.most)) {
      try {
        await this.#log.end(end);
        return;
      } catch (error) {
        if (!(error instanceof JobError)) {
          return await this.#store({ ...end, state: "failed", outcome: refuse(NOT_JSON) });
        }
        if (this.#log.hasUnwritten) {
          await this.#log.flush();
          const { state, outcome } = this.#failure === undefined ? end : failedBy(this.#failure);
          return await this.#store({ ...end, state, outcome });
        }
        log.error("the end of a job can't be stored", { job: this.id, reason: error.message });
        if (await within(this.#closing.promise, pause)) return;
      }
    }
  }
}

const NOT_JSON: Refusal = Object.freeze({
  kind: "TOOL_CRASHED",
  code: "TOOL_CRASHED",
  message: "The tool returned something that is not JSON; its author has to correct it",
});

/** The times at which a job that ends now has ended and expires. */
export function toEndTimes({ jobTtlMs }: Limits): Pick<JobEnd, "endedAt" | "expiresAt"> {
  const endedAt = Date.now();
  return { endedAt, expiresAt: endedAt + jobTtlMs };
}

function toState(outcome: CallOutcome): JobEnd["state"] {
  if (outcome.ok) return "completed";
  return outcome.refusal.kind === "CANCELLED" ? "cancelled" : "failed";
}

function toRefusal(error: unknown): Refusal {
  const code = error instanceof JobError ? error.code : "JOBS_UNAVAILABLE";
  return { kind: "TOOL_FAILED", code, message: messageOf(error) };
}

function failedBy(failure: Refusal): Pick<JobEnd, "state" | "outcome"> {
  return { state: "failed", outcome: refuse(failure) };
}

function refuse(refusal: Refusal): CallOutcome {
  return { ok: false, refusal };
}

/**
 * The word in the environment of all processes of a job, by which they are found. It differs for each
 * run of the job, and no mark is part of another one.
 */
export function markOf({ id, attempt = 1 }: Pick<StoredJob, "id" | "attempt">): string {
  return attempt === 1 ? id : `${id.slice(0, 8)}.${attempt}.${id.slice(8)}`;
}

import type { Caller } from "../access/caller.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { RunAsUser } from "../access/run_as.ts";
import { redactTexts, textOf } from "../tool/result.ts";
import type { CallOptions, CallOutcome, Refusal, ToolService } from "../tool/service.ts";
import type { RegisteredTool, ToolDefinition, Validation } from "../tool/tool.ts";
import { type Admission, AllowedTools, refusalOf } from "./allowed_tools.ts";
import type { AuditedStart } from "./audit.ts";
import { type CallObservers, observeCall, observeRejection } from "./observe_call.ts";
import {
  ensureResult,
  ensureSize,
  invalidArguments,
  invalidOutput,
  SHUTTING_DOWN,
  toFailure,
  tooManyCalls,
} from "./refusals.ts";
import { CallerCalls, checkTimeout, limitsOf, type RunKind } from "./caller_limits.ts";
import { toJobLimits, validateForJob } from "./job_limits.ts";
import { CallExtra, type ExtraParts, RunningCall } from "./running_call.ts";
import { RunningCalls } from "./running_calls.ts";
import type { JobRunner } from "../run/command_runner.ts";

/** What the dispatcher works with. */
export interface DispatcherParts extends CallObservers {
  readonly registry: ToolRegistry;
  readonly limits: Limits;
  readonly log: Log;
  /** What commands of the server's own user have as `$HOME`. */
  readonly home?: string | undefined;
  /** Redacts the server's secrets in messages for callers. */
  readonly redact: (text: string) => string;
  /** Creates the command runner of one call; it is disposed of when the call ends. */
  readonly createRunner: ExtraParts["createRunner"];
  /** The jobs of a caller; the address of its client is for the audit. */
  readonly jobsOf: ExtraParts["jobsOf"];
  /**
   * The user as whom the calls of a caller run; rejects with a `ToolError` if they can't.
   * @default {the server's own user}
   */
  readonly userOf?: (caller: Caller) => Promise<RunAsUser | undefined> | undefined;
}

/** A run of a job. */
export interface JobRun {
  readonly runner: Pick<JobRunner, "forCall">;
  /** The id of the job; `undefined` as long as the call is none yet. */
  readonly jobId: () => string | undefined;
}

/** A call of a job whose arguments are checked, or why there is none. */
export type PreparedCall =
  | { readonly ok: false; readonly refusal: Refusal }
  | {
    readonly ok: true;
    /** Why its caller, with the rights that it has by then, may not begin it; that is recorded. */
    readonly recheck: (caller: Caller) => Refusal | undefined;
    /** Carries out the call with the runner of the job; never rejects. */
    readonly run: (options: CallOptions, job: JobRun) => Promise<CallOutcome>;
    /** Releases the tool, also if the call was never carried out. */
    readonly [Symbol.dispose]: () => void;
  };

/** A call of a job whose arguments are checked, or why there is none. */
export type CheckedCall =
  | { readonly ok: false; readonly refusal: Refusal }
  | { readonly ok: true; readonly call: ToolCall };

/** Carries out every call of every transport: the one {@linkcode ToolService}. */
export class CallDispatcher implements ToolService {
  readonly #parts: DispatcherParts;
  readonly #allowed: AllowedTools;
  /** Those that run, with the runs of jobs. */
  readonly running: RunningCalls;
  /** How many of them are not jobs. */
  #calls = 0;
  readonly #callerCalls = new CallerCalls();
  #closed = false;

  /** Takes what calls are carried out with. */
  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#allowed = new AllowedTools(parts.registry);
    this.running = new RunningCalls(parts.audit);
  }

  list(caller: Caller): readonly ToolDefinition[] {
    return this.#allowed.list(caller);
  }

  find(name: string, caller: Caller): ToolDefinition | undefined {
    return this.#allowed.find(name, caller);
  }

  /** Carries out one call; never rejects. */
  async call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    const { caller } = options;
    const admission = this.#admit(name, input, { kind: "call", caller });
    if (!admission.ok) {
      return observeRejection(name, options, { rejected: admission, observers: this.#parts });
    }
    const { tool } = admission;
    return await this.#observed(name, options, (observed, started) => {
      const entered = this.#isFull()
        ? tooManyCalls(this.#parts.limits.maxCalls)
        : this.enter(caller);
      if ("kind" in entered) return Promise.resolve(refuse(entered));
      this.#calls++;
      const validate = () => tool.validate(input);
      const begun = { options: observed, started };
      return this.#run({ tool, validate }, begun, this.#partsFor(caller)).finally(() => {
        this.#calls--;
        entered[Symbol.dispose]();
      });
    });
  }

  /** Counts a call of a caller until it is disposed of; or why the caller can't have one more. */
  enter(caller: Caller): Disposable | Refusal {
    return this.#callerCalls.enter(caller);
  }

  /**
   * Checks the call of a job and holds its tool, with the time-outs of jobs. A job counts neither as a
   * running call, nor is it rejected because of them.
   */
  async prepare(name: string, input: unknown, options: CallOptions): Promise<PreparedCall> {
    const checked = await this.check(name, input, options);
    if (!checked.ok) return checked;
    const { call } = checked;
    const held = call.tool.hold?.();
    return {
      ok: true,
      recheck: (caller) => this.#recheck(call.tool, input, { ...options, caller }),
      run: (runOptions, { runner, jobId }) =>
        this.#observed(name, runOptions, (observed, started) => {
          if (this.#closed) return Promise.resolve(refuse(SHUTTING_DOWN));
          const { caller } = runOptions;
          const limits = limitsOf(toJobLimits(this.#parts.limits), caller);
          const named = runner.forCall(started.id, limits);
          const createRunner = () => ({ run: named.run.bind(named), [Symbol.dispose]: ignore });
          const begun = { options: observed, started, jobId };
          return this.#run(call, begun, { ...this.#parts, limits, createRunner });
        }, jobId),
      [Symbol.dispose]: () => held?.[Symbol.dispose](),
    };
  }

  /** Checks the call of a job that may run elsewhere, with the time-outs of jobs. */
  async check(name: string, input: unknown, options: CallOptions): Promise<CheckedCall> {
    const limits = limitsOf(toJobLimits(this.#parts.limits), options.caller);
    const admission = this.#admit(name, input, { kind: "job", caller: options.caller });
    const validation = admission.ok
      ? await this.#validateJob(admission.tool, input, limits)
      : admission;
    if (!validation.ok) {
      return observeRejection(name, options, { rejected: validation, observers: this.#parts });
    }
    return { ok: true, call: validation.call };
  }

  /** Rejects new calls, stops running ones and waits until they have ended, for at most 5 s. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.running.stopAll(SHUTTING_DOWN);
  }

  #isFull(): boolean {
    return this.#calls >= this.#parts.limits.maxCalls;
  }

  #admit(
    name: string,
    input: unknown,
    { kind, caller }: { readonly kind: RunKind; readonly caller: Caller },
  ): Admission {
    if (this.#closed) return refuse(SHUTTING_DOWN);
    const admission = this.#allowed.admit(name, caller);
    if (!admission.ok) return admission;
    const { limits } = this.#parts;
    const tooLong = checkTimeout(name, input, { kind, limits, caller });
    return tooLong === undefined ? admission : refuse(tooLong);
  }

  #recheck(tool: RegisteredTool, input: unknown, options: CallOptions): Refusal | undefined {
    const { definition: { name } } = tool;
    const { caller } = options;
    const bounds = { kind: "job", limits: this.#parts.limits, caller } as const;
    const refusal = refusalOf(tool, caller) ?? checkTimeout(name, input, bounds);
    if (refusal === undefined) return undefined;
    return observeRejection(name, options, { rejected: refuse(refusal), observers: this.#parts })
      .refusal;
  }

  #partsFor(caller: Caller): DispatcherParts {
    const limits = limitsOf(this.#parts.limits, caller);
    return limits === this.#parts.limits ? this.#parts : { ...this.#parts, limits };
  }

  async #validateJob(tool: RegisteredTool, input: unknown, limits: Limits) {
    const { redact, log } = this.#parts;
    const { name } = tool.definition;
    try {
      const args = await validateForJob(tool, input, limits);
      if (!args.ok) return refuse(invalidArguments(name, args));
      return { ok: true, call: { tool, validate: () => args } } as const;
    } catch (error) {
      return refuse(toFailure(name, error, { redact, log }));
    }
  }

  #observed(
    name: string,
    options: CallOptions,
    carryOut: (options: CallOptions, started: AuditedStart) => Promise<CallOutcome>,
    jobId?: JobRun["jobId"],
  ): Promise<CallOutcome> {
    return observeCall(name, options, { carryOut, observers: this.#parts, jobId });
  }

  async #run(
    { tool, validate }: ToolCall,
    { options, started, jobId }: Start,
    parts: DispatcherParts,
  ): Promise<CallOutcome> {
    const { redact, log, limits } = parts;
    const { name } = tool.definition;
    using _held = tool.hold?.();
    const call = new RunningCall(options.client, started.id);
    const extra = new CallExtra(call, options, parts);
    const begun = { call, tool: name, started, options, jobId };
    this.running.add(begun);
    try {
      const validation = validate();
      const args = validation instanceof Promise ? await validation : validation;
      if (!args.ok) return refuse(invalidArguments(name, args));
      const user = parts.userOf?.(options.caller);
      if (user !== undefined) extra.runAs(await user);
      await started.written;
      call.noticeStop();
      if (call.refusal) return refuse(call.refusal);
      const result = ensureResult(name, await tool.run(args.value, extra));
      if (call.refusal) return refuse(call.refusal);
      ensureSize(name, result, limits.maxResultBytes);
      if (result.isError === true) {
        const redacted = redactTexts(result, redact);
        const refusal = {
          kind: "TOOL_FAILED",
          code: "TOOL_FAILED",
          message: textOf(redacted),
        } as const;
        return { ...refuse(refusal), result: redacted };
      }
      const output = await tool.validateOutput?.(result.structuredContent);
      if (output?.ok === false) throw invalidOutput(name, output);
      return { ok: true, result };
    } catch (error) {
      return refuse(call.refusal ?? toFailure(name, error, { redact, log }));
    } finally {
      this.running.remove(begun);
      extra[Symbol.dispose]();
      call[Symbol.dispose]();
    }
  }
}

const ignore = () => {};

/** A tool and how the arguments of one call are checked. */
interface ToolCall {
  readonly tool: RegisteredTool;
  readonly validate: () => Validation | Promise<Validation>;
}

/** A call that is recorded and begins. */
interface Start {
  readonly options: CallOptions;
  readonly started: AuditedStart;
  readonly jobId?: JobRun["jobId"];
}

function refuse(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}

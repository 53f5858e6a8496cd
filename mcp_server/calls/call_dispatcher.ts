import type { Caller } from "../access/caller.ts";
import { type CallerSecrets, NO_SECRETS } from "../access/caller_secrets.ts";
import type { RunAsUser } from "../access/run_as.ts";
import type { Limits } from "../shared/limits.ts";
import type { Log } from "../shared/log.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import {
  type CallOutcome,
  ensureResult,
  ensureSize,
  isFitting,
  redactTexts,
  type Refusal,
  type ToolResource,
} from "../tool/result.ts";
import { ensureOutput } from "../tool/schema.ts";
import type { CallOptions, ToolService } from "../tool/service.ts";
import type { RegisteredTool, ToolDefinition } from "../tool/tool.ts";
import {
  type Admission,
  type Adoptable,
  AllowedTools,
  type ApprovalWait,
  CallCount,
  type CheckedCall,
  checkTimeout,
  type JobRun,
  limitsOf,
  mostCharactersOf,
  type PreparedCall,
  refusalOf,
  type RunKind,
  toJobLimits,
  type ToolCall,
  validateForJob,
} from "./admission.ts";
import { CallExtra, type ExtraParts, type RunningCall, RunningCalls } from "./running_calls.ts";
import { type ApprovalRules, Approvals } from "./approvals.ts";
import { type CallObservers, type CallRecord, recordCall, recordRejection } from "./audit.ts";
import { failed, fitOutput } from "./fit_result.ts";
import { maskOptions, maskRefusal, maskResult } from "./shown_call.ts";
import { invalidArguments, refuse, type Refused, SHUTTING_DOWN, toFailure } from "./refusals.ts";

/** What the dispatcher works with. */
interface DispatcherParts extends CallObservers, ExtraParts {
  readonly registry: ToolRegistry;
  readonly limits: Limits;
  readonly log: Log;
  /** Redacts the server's secrets in messages for callers. */
  readonly redact: (text: string) => string;
  /** Names or patterns of the tools whose calls need approval. @default {what the rights of callers say} */
  readonly ask?: readonly string[];
  /** Who could approve calls. @default {there may be other callers, whose rights don't change} */
  readonly approvals?: ApprovalRules | undefined;
  /**
   * The user as whom the calls of a caller run; rejects with a `ToolError` if they can't.
   * @default {the server's own user}
   */
  readonly userOf?: (caller: Caller) => Promise<RunAsUser | undefined> | undefined;
  /** The secrets that a caller may use now. @default {none} */
  readonly secretsOf?: (caller: Caller) => CallerSecrets | undefined;
}

/** A call that is rejected: its tool and its arguments, as the client sent them. */
interface RejectedCall {
  readonly name: string;
  readonly input: unknown;
}

/** Carries out every call of every transport: the one {@linkcode ToolService}. */
export class CallDispatcher implements ToolService {
  readonly #parts: DispatcherParts;
  readonly #allowed: AllowedTools;
  /** Those that run, with the runs of jobs. */
  readonly running: RunningCalls;
  /** The calls that wait for approval. */
  readonly approvals: Approvals;
  /** Those of them that are not jobs. */
  readonly #calls: CallCount;
  #closed = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#allowed = new AllowedTools(parts.registry, parts.ask ?? []);
    this.running = new RunningCalls(parts.audit);
    const { approvals: rules, limits, audit } = parts;
    this.#calls = new CallCount(limits.maxCalls);
    this.approvals = new Approvals({ rules, limits, audit });
  }

  count(caller: Caller): Promise<number> {
    return this.#allowed.count(caller);
  }

  list(caller: Caller): Promise<readonly ToolDefinition[]> {
    return this.#allowed.list(caller);
  }

  find(name: string, caller: Caller): Promise<ToolDefinition | undefined> {
    return this.#allowed.find(name, caller);
  }

  /** Whether the calls of a tool by a caller need approval. */
  needsApproval(tool: string, caller: Caller): boolean {
    return this.#allowed.needApproval(tool, caller);
  }

  async resources(caller: Caller): Promise<readonly ToolResource[]> {
    const { registry } = this.#parts;
    const tools = await Promise.all(
      (await this.list(caller)).map(({ name }) => registry.get(name)),
    );
    return tools.flatMap((tool) => tool?.resource ?? []);
  }

  /** Carries out one call, which may become a job if it is adoptable; never rejects. */
  async call(
    name: string,
    input: unknown,
    options: CallOptions,
    adoptable?: Adoptable,
  ): Promise<CallOutcome> {
    const { limits, createRunner } = this.#parts;
    const { caller } = options;
    const admission = await this.#admit(name, input, { kind: "call", caller });
    if (!admission.ok) return this.#reject({ name, input }, options, admission);
    const { tool } = admission;
    const { mark, jobId } = adoptable ?? {};
    const record = recordCall(name, options, { observers: this.#parts, input, jobId });
    const entered = this.enter(caller);
    if ("kind" in entered) return record.end(refuse(entered));
    using _entered = entered;
    adoptable?.onEntered(entered);
    const call = { tool, input, validate: () => tool.validate(input) };
    return record.end(
      await this.#run(call, record, { limits: limitsOf(limits, caller), createRunner, mark }),
    );
  }

  /** Counts a call until it is disposed of; or why there can't be one more, or not of its caller. */
  enter(caller: Caller): Disposable | Refusal {
    return this.#calls.enter(caller);
  }

  /**
   * Checks the call of a job and holds its tool, with the time-outs of jobs. A job counts
   * neither as a running call, nor is it rejected because of them.
   */
  async prepare(
    name: string,
    input: unknown,
    options: CallOptions,
  ): Promise<PreparedCall> {
    const checked = await this.check(name, input, options);
    if (!checked.ok) return checked;
    const { call } = checked;
    const needsApproval = this.needsApproval(name, options.caller);
    const full = needsApproval ? this.approvals.refuseMore(options.caller) : undefined;
    if (full !== undefined) return this.#reject({ name, input }, options, refuse(full));
    const held = call.tool.hold?.();
    return {
      ok: true,
      approve: needsApproval ? (wait) => this.#approveJob(call, options, wait) : undefined,
      recheck: (caller) => this.#recheck(call.tool, input, { ...options, caller }),
      run: (runOptions, job) => this.#runJob(call, runOptions, job),
      [Symbol.dispose]: () => held?.[Symbol.dispose](),
    };
  }

  /** Checks the call of a job that may run elsewhere, with the time-outs of jobs. */
  async check(name: string, input: unknown, options: CallOptions): Promise<CheckedCall> {
    const { caller } = options;
    const admission = await this.#admit(name, input, { kind: "job", caller });
    if (!admission.ok) return this.#reject({ name, input }, options, admission);
    const { tool } = admission;
    const { redact, log } = this.#parts;
    try {
      const args = await validateForJob(tool, input, this.#jobLimitsOf(caller));
      if (args.ok) return { ok: true, call: { tool, input, validate: () => args } };
      return this.#reject({ name, input }, options, refuse(invalidArguments(name, args)));
    } catch (error) {
      return this.#reject(
        { name, input },
        options,
        refuse(toFailure(name, error, { redact, log })),
      );
    }
  }

  /** Rejects new calls, stops running ones and waits until they have ended, for at most 5 s. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.running.stopAll(SHUTTING_DOWN);
  }

  #jobLimitsOf(caller: Caller): Limits {
    return limitsOf(toJobLimits(this.#parts.limits), caller);
  }

  async #admit(
    name: string,
    input: unknown,
    { kind, caller }: { readonly kind: RunKind; readonly caller: Caller },
  ): Promise<Admission> {
    const admission = await this.#allowed.admit(name, caller);
    if (this.#closed) return refuse(SHUTTING_DOWN);
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
    if (refusal !== undefined) this.#reject({ name, input }, options, refuse(refusal));
    return refusal;
  }

  #reject(call: RejectedCall, options: CallOptions, rejected: Refused): Refused {
    const { name, input } = call;
    return recordRejection(name, options, { input, rejected, observers: this.#parts });
  }

  async #approveJob(
    call: ToolCall,
    options: CallOptions,
    wait: ApprovalWait,
  ): Promise<Refusal | undefined> {
    const { tool, input } = call;
    const { name } = tool.definition;
    if (call.approvedFor !== undefined) return undefined;
    const refusal = await this.approvals.obtain({ tool: name, input, options, ...wait });
    if (refusal === undefined) call.approvedFor = { ...options.caller };
    else this.#reject({ name, input }, options, refuse(refusal));
    return refusal;
  }

  /** Waits until a call that runs is approved, if it needs that. */
  async #approve(
    { tool, input, approvedFor }: ToolCall,
    options: CallOptions,
    call: RunningCall,
  ): Promise<Refusal | undefined> {
    const { name } = tool.definition;
    const { caller, canAsk } = options;
    if (!this.needsApproval(name, caller)) return undefined;
    if (approvedFor?.name === caller.name && approvedFor.rights === caller.rights) return undefined;
    call.waiting = "approval";
    options.onProgress?.({ message: "Waits for approval" });
    const { id, signal, begun: { jobId: job } } = call;
    const ask = canAsk === true ? options.ask : undefined;
    const wait = { signal, ask, call: id, job };
    return await this.approvals.obtain({ tool: name, input, options, ...wait })
      .finally(() => call.waiting = undefined);
  }

  async #runJob(
    call: ToolCall,
    options: CallOptions,
    { runner, jobId }: JobRun,
  ): Promise<CallOutcome> {
    const { caller } = options;
    const { name } = call.tool.definition;
    const record = recordCall(name, options, { observers: this.#parts, input: call.input, jobId });
    if (this.#closed) return record.end(refuse(SHUTTING_DOWN));
    const limits = this.#jobLimitsOf(caller);
    const named = runner.forCall(record.started.id, limits);
    const outcome = await this.#run(call, record, {
      limits,
      // The job's runner lives longer than the call.
      createRunner: () => ({ run: named.run.bind(named), [Symbol.dispose]: () => {} }),
    });
    return record.end(outcome);
  }

  /** Runs a tool whose call is recorded and counted; never rejects. */
  async #run(
    toolCall: ToolCall,
    { options: asked, started, jobId, onCommandEnd }: CallRecord,
    runWith: Pick<ExtraParts, "limits" | "createRunner" | "mark">,
  ): Promise<CallOutcome> {
    const { redact, log, home, jobsOf, userOf, secretsOf } = this.#parts;
    const { limits } = runWith;
    const { tool, validate, input } = toolCall;
    const { name } = tool.definition;
    const most = mostCharactersOf(input, asked, limits);
    const secrets = secretsOf?.(asked.caller) ?? NO_SECRETS;
    const { mask } = secrets;
    const options = mask === undefined ? asked : maskOptions(asked, mask);
    using _held = tool.hold?.();
    using call = this.running.begin({ tool: name, started, options, jobId });
    const parts = { ...runWith, home, jobsOf, secrets, onCommandEnd };
    using extra = new CallExtra(call, options, parts);
    try {
      const validation = validate();
      const args = validation instanceof Promise ? await validation : validation;
      if (!args.ok) return refuse(maskRefusal(invalidArguments(name, args), mask));
      const user = userOf?.(options.caller);
      if (user !== undefined) extra.runAs(await user);
      await started.written;
      call.noticeStop();
      if (call.refusal) return refuse(call.refusal);
      const unapproved = await this.#approve(toolCall, options, call);
      if (unapproved !== undefined) return refuse(call.refusal ?? unapproved);
      const whole = ensureResult(name, await tool.run(args.value, extra));
      const result = mask === undefined ? whole : maskResult(whole, mask);
      if (call.refusal) return refuse(call.refusal);
      ensureSize(name, result, limits.maxResultBytes);
      if (result.isError === true) return failed(redactTexts(result, redact), most);
      ensureOutput(name, await tool.validateOutput?.(result.structuredContent));
      const fits = most === undefined || isFitting(result, most);
      return { ok: true, result: fits ? result : await fitOutput(tool, result, most) };
    } catch (error) {
      return refuse(
        call.refusal ?? maskRefusal(toFailure(name, error, { redact, log, most }), mask),
      );
    }
  }
}

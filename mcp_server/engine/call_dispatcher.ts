import type { CommandRunner } from "../domain/command.ts";
import { within } from "../domain/deadline.ts";
import type { Limits } from "../domain/limits.ts";
import type { Log } from "../domain/log.ts";
import type { ToolRegistry } from "../domain/registry.ts";
import { redactTexts, textOf } from "../domain/result.ts";
import type { CallOptions, CallOutcome, Refusal, ToolService } from "../domain/service.ts";
import type { RegisteredTool, ToolDefinition } from "../domain/tool.ts";
import type { AuditLog } from "./audit.ts";
import {
  ensureResult,
  ensureSize,
  invalidArguments,
  invalidOutput,
  SHUTTING_DOWN,
  toFailure,
  tooManyCalls,
  unknownTool,
} from "./refusals.ts";
import { CallExtra, RunningCall } from "./running_call.ts";

/** How long running calls may take to end when the server stops. */
const STOP_GRACE_MS = 5_000;

/** What the dispatcher works with. */
export interface DispatcherParts {
  readonly registry: ToolRegistry;
  readonly limits: Limits;
  readonly log: Log;
  readonly audit: AuditLog;
  /** Redacts the server's secrets in messages for callers. */
  readonly redact: (text: string) => string;
  /** Creates the command runner of one call; it is disposed of when the call ends. */
  readonly createRunner: () => CommandRunner & Disposable;
}

/** Carries out every call of every transport: the one {@linkcode ToolService}. */
export class CallDispatcher implements ToolService {
  readonly #parts: DispatcherParts;
  readonly #running = new Set<RunningCall>();
  #closed = false;

  /** Takes what calls are carried out with. */
  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  /** Every tool, in a fixed order. */
  list(): readonly ToolDefinition[] {
    return this.#parts.registry.list();
  }

  /** One tool, or `undefined` if no tool has the name. */
  find(name: string): ToolDefinition | undefined {
    return this.#parts.registry.get(name)?.definition;
  }

  /** Carries out one call; never rejects. */
  async call(name: string, input: unknown, options: CallOptions): Promise<CallOutcome> {
    const { audit, registry } = this.#parts;
    const { transport, caller } = options;
    const end = audit.start({ transport, tool: name, caller });
    const tool = registry.get(name);
    const outcome = this.#closed || tool === undefined || this.#isFull()
      ? refuse(this.#whyNot(name, tool))
      : await this.#run(tool, input, options);
    end(outcome.ok ? "ok" : outcome.refusal.code);
    return outcome;
  }

  /** Rejects new calls, stops running ones and waits until they have ended, for at most 5 s. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = [...this.#running];
    for (const call of running) call.stop(SHUTTING_DOWN);
    const ended = Promise.all(running.map((call) => call.ended));
    await within(ended, STOP_GRACE_MS);
  }

  #isFull(): boolean {
    return this.#running.size >= this.#parts.limits.maxCalls;
  }

  #whyNot(name: string, tool: RegisteredTool | undefined): Refusal {
    if (this.#closed) return SHUTTING_DOWN;
    const { registry, limits } = this.#parts;
    return tool === undefined ? unknownTool(name, registry.list()) : tooManyCalls(limits.maxCalls);
  }

  async #run(tool: RegisteredTool, input: unknown, options: CallOptions): Promise<CallOutcome> {
    const { createRunner, redact, log, limits } = this.#parts;
    const { name } = tool.definition;
    const call = new RunningCall(options.client);
    const extra = new CallExtra(call, options, createRunner);
    this.#running.add(call);
    try {
      const validation = tool.validate(input);
      const args = validation instanceof Promise ? await validation : validation;
      if (!args.ok) return refuse(invalidArguments(name, args));
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
      this.#running.delete(call);
      extra[Symbol.dispose]();
      call[Symbol.dispose]();
    }
  }
}

function refuse(refusal: Refusal): { ok: false; refusal: Refusal } {
  return { ok: false, refusal };
}

import type { CallOptions, Meter } from "../tool/service.ts";
import { type StartSpan, traceparentOf } from "../tool/tracing.ts";
import type { EndedCommand } from "../tool/command.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { CallOutcome } from "../tool/result.ts";
import { type AuditedStart, type AuditLog, ExitCodes } from "./audit.ts";

/** Where calls are recorded. */
export interface CallObservers {
  readonly registry: Pick<ToolRegistry, "get">;
  readonly audit: AuditLog;
  readonly meter: Pick<Meter, "called" | "ran">;
  /** Begins the span of a call. @default {calls are not traced} */
  readonly startSpan?: StartSpan | undefined;
}

/** A call that is recorded: in the audit, in the metrics, and as a span if calls are traced. */
export interface CallRecord {
  readonly started: AuditedStart;
  /** The options of the call, which belongs to its span; its commands do, too. */
  readonly options: CallOptions;
  /** The id of the job, once the call is a run of one. */
  readonly jobId: (() => string | undefined) | undefined;
  /** Counts a command of the call that has ended; the audit has its exit code at the end. */
  readonly onCommandEnd: (command: EndedCommand) => void;
  /** Records the outcome, and returns it. */
  end(outcome: CallOutcome): CallOutcome;
}

/** Records the start of a call. */
export function recordCall(
  name: string,
  options: CallOptions,
  { observers, input, jobId }: {
    readonly observers: CallObservers;
    /** The arguments, as the client sent them. */
    readonly input: unknown;
    readonly jobId?: CallRecord["jobId"];
  },
): CallRecord {
  const { transport, caller } = options;
  const call = { transport, tool: name, caller: caller.name, job: jobId, args: input };
  const started = observers.audit.start(call);
  const exitCodes = new ExitCodes();
  const { traceparent, end } = measure(name, options, observers);
  return {
    started,
    options: traceparent === undefined ? options : { ...options, traceparent },
    jobId,
    onCommandEnd: ({ end, exitCode }) => {
      exitCodes.add(exitCode);
      observers.meter.ran(name, end);
    },
    end: (outcome) => {
      started.end(outcome.ok ? "ok" : outcome.refusal.code, exitCodes);
      end(outcome);
      return outcome;
    },
  };
}

/**
 * Records a call that does not begin. What a caller may not do at all is audited as a refusal, of
 * which there is one line in a while.
 */
export function recordRejection<Rejected extends CallOutcome & { readonly ok: false }>(
  name: string,
  options: CallOptions,
  { observers, input, rejected }: {
    readonly observers: CallObservers;
    /** The arguments, as the client sent them. */
    readonly input: unknown;
    readonly rejected: Rejected;
  },
): Rejected {
  const { audit } = observers;
  const { transport, address, caller: { name: caller } } = options;
  const { kind, code } = rejected.refusal;
  if (kind === "NOT_ALLOWED") audit.refused({ code, transport, address, caller, tool: name });
  else audit.start({ transport, tool: name, caller, args: input }).end(code);
  measure(name, options, observers).end(rejected);
  return rejected;
}

function measure(
  name: string,
  { transport, requestId, meta, traceparent: header, protocolVersion }: CallOptions,
  { registry, meter, startSpan }: CallObservers,
): { readonly traceparent: string | undefined; readonly end: (outcome: CallOutcome) => void } {
  const tool = registry.get(name) === undefined ? undefined : name;
  const startedAt = performance.now();
  const isTraced = header !== undefined || meta?.traceparent !== undefined;
  const client = isTraced ? traceparentOf(meta, header) : undefined;
  const span = startSpan?.({ tool, transport, requestId, traceparent: client, protocolVersion });
  return {
    traceparent: span?.traceparent ?? client,
    end: (outcome) => {
      const kind = outcome.ok ? "ok" : outcome.refusal.kind;
      const seconds = (performance.now() - startedAt) / 1_000;
      meter.called({ tool, transport, outcome: kind, seconds });
      span?.end(outcome);
    },
  };
}

import { type Meter, type StartSpan, traceparentOf } from "../tool/telemetry.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { CallOptions } from "../tool/service.ts";
import type { CallOutcome } from "../tool/result.ts";
import type { AuditedStart, AuditLog } from "./audit.ts";

/** Where calls are recorded. */
export interface CallObservers {
  readonly registry: Pick<ToolRegistry, "get">;
  readonly audit: AuditLog;
  readonly meter: Pick<Meter, "called">;
  /** Begins the span of a call. @default {calls are not traced} */
  readonly startSpan?: StartSpan | undefined;
}

/**
 * Carries out a call and records it: in the audit, in the metrics, and as a span if calls are traced.
 * The call then belongs to that span, and its commands too.
 */
export async function observeCall(
  name: string,
  options: CallOptions,
  { carryOut, observers, jobId }: {
    readonly carryOut: (options: CallOptions, started: AuditedStart) => Promise<CallOutcome>;
    readonly observers: CallObservers;
    /** The id of the job, once the call is a run of one. */
    readonly jobId?: (() => string | undefined) | undefined;
  },
): Promise<CallOutcome> {
  const { transport, caller } = options;
  const started = observers.audit.start({ transport, tool: name, caller: caller.name, job: jobId });
  const call = measure(name, options, observers);
  const { traceparent } = call;
  const traced = traceparent === undefined ? options : { ...options, traceparent };
  const outcome = await carryOut(traced, started);
  started.end(outcome.ok ? "ok" : outcome.refusal.code);
  call.end(outcome);
  return outcome;
}

/**
 * Records a call that does not begin. What a caller may not do at all is audited as a refusal, of
 * which there is one line in a while.
 */
export function observeRejection<Rejected extends CallOutcome & { readonly ok: false }>(
  name: string,
  options: CallOptions,
  { rejected, observers }: { readonly rejected: Rejected; readonly observers: CallObservers },
): Rejected {
  const { audit } = observers;
  const { transport, address, caller: { name: caller } } = options;
  const { kind, code } = rejected.refusal;
  if (kind === "NOT_ALLOWED") audit.refused({ code, transport, address, caller, tool: name });
  else audit.start({ transport, tool: name, caller }).end(code);
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
  const client = traceparentOf(meta, header);
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

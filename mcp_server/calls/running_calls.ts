import { type Caller, isAdmin } from "../access/caller.ts";
import { within } from "../shared/deadline.ts";
import type { CallOptions, LiveCall, LiveCallList, LiveCalls, Stopper } from "../tool/service.ts";
import type { Refusal } from "../tool/result.ts";
import type { AuditedStart, AuditLog } from "./audit.ts";
import { stoppedByCaller } from "./refusals.ts";
import type { RunningCall } from "./running_call.ts";

/** How long stopped calls are waited for; their processes end within 4 s. */
const STOP_MS = 5_000;

const MOST_LISTED = 1_000;

/** A running call, and what is shown of it. */
export interface BegunCall {
  readonly call: RunningCall;
  readonly tool: string;
  readonly started: AuditedStart;
  readonly options: Pick<CallOptions, "caller" | "transport" | "address">;
  /** The id of the job, once the call is a run of one. */
  readonly jobId?: (() => string | undefined) | undefined;
}

/** The calls of all transports and all jobs, from their start to their end. */
export class RunningCalls implements LiveCalls {
  /** A set, because its upkeep costs each call less than that of a map by ids. */
  readonly #calls = new Set<BegunCall>();
  readonly #audit: Pick<AuditLog, "did">;
  readonly #stopMs: number;

  /** Takes the audit, which records who stops a call, and how long stopped calls are waited for. */
  constructor(audit: Pick<AuditLog, "did">, options: { readonly stopMs?: number } = {}) {
    const { stopMs = STOP_MS } = options;
    this.#audit = audit;
    this.#stopMs = stopMs;
  }

  /** Adds a call that begins. */
  add(begun: BegunCall): void {
    this.#calls.add(begun);
  }

  /** Removes a call that has ended. */
  remove(begun: BegunCall): void {
    this.#calls.delete(begun);
  }

  list(caller: Caller): LiveCallList {
    const seen = [...this.#calls].filter((begun) => isSeenBy(caller, begun));
    return {
      calls: seen.slice(0, MOST_LISTED).map(toLiveCall),
      more: Math.max(0, seen.length - MOST_LISTED),
    };
  }

  find(id: string, caller: Caller): LiveCall | undefined {
    const begun = this.#findOf(id, caller);
    return begun && toLiveCall(begun);
  }

  async stop(id: string, { caller, address }: Stopper): Promise<LiveCall | undefined> {
    const begun = this.#findOf(id, caller);
    if (begun === undefined) return undefined;
    const { call, tool, jobId } = begun;
    if (call.stop(stoppedByCaller(caller))) {
      const stopped = { call: id, job: jobId?.(), tool };
      void this.#audit.did("stop", { ...stopped, transport: "http", caller: caller.name, address });
    }
    const hasEnded = await within(call.ended, this.#stopMs);
    return { ...toLiveCall(begun), stopping: !hasEnded };
  }

  /** Stops all calls, and waits until they have ended, for at most 5 s. */
  async stopAll(reason: Refusal): Promise<void> {
    const running = [...this.#calls];
    for (const { call } of running) call.stop(reason);
    await within(Promise.all(running.map(({ call }) => call.ended)), this.#stopMs);
  }

  #findOf(id: string, caller: Caller): BegunCall | undefined {
    const isIt = (begun: BegunCall) => begun.started.id === id && isSeenBy(caller, begun);
    return this.#calls.values().find(isIt);
  }
}

function isSeenBy(caller: Caller, { options }: BegunCall): boolean {
  return options.caller.name === caller.name || isAdmin(caller);
}

function toLiveCall({ call, tool, started, options, jobId }: BegunCall): LiveCall {
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
    stopping: call.refusal !== undefined,
  };
}

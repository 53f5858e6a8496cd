import type { CallOptions, Meter, Transport } from "../tool/service.ts";
import { type StartSpan, traceparentOf } from "../tool/tracing.ts";
import type { Decision, EndedCallRecord } from "../tool/fleet_desk.ts";
import type { EndedCommand } from "../tool/command.ts";
import type { ToolRegistry } from "../tool/registry.ts";
import type { CallOutcome } from "../tool/result.ts";
import { type PromptSink, toJsonLine } from "../shared/log.ts";

/** Where the lines of the audit go. */
type AuditSink = Pick<PromptSink, "write" | "written">;

const immediately = () => Promise.resolve();

/** Who called what, over which transport. */
interface AuditedCall {
  readonly transport: Transport;
  readonly tool: string;
  /** Name of the caller. */
  readonly caller: string;
  /** The id of the job, once the call is a run of one. */
  readonly job?: (() => string | undefined) | undefined;
  /** The arguments, as the client sent them. */
  readonly args?: unknown;
}

/** How the audit is written. */
interface AuditOptions {
  /** Returns the arguments of a call as JSON text, without secrets. @default {they are left out} */
  readonly showArguments?: ((args: unknown) => string) | undefined;
  /** Is called with each call whose end is recorded. */
  readonly onEnded?: ((call: EndedCallRecord) => void) | undefined;
}

/** A call whose start is recorded. */
export interface AuditedStart {
  /** Id of the call: unique, also among the calls of other starts of the server. */
  readonly id: string;
  /** When it began (ISO 8601). */
  readonly time: string;
  /** The same on the clock of `performance.now()`, which nobody sets. */
  readonly startedAt: number;
  /** Resolves once the start is recorded, or the audit accepts nothing for now; see `PromptSink`. */
  readonly written: Promise<void>;
  /**
   * Records the end of the call with its outcome, `ok` or a refusal's code, and the exit codes of its
   * commands if there were any.
   */
  end(outcome: string, exitCodes?: ExitCodes): void;
}

/** The exit codes of a call's commands in the order of their ends; of a stopped one it may be unknown. */
export class ExitCodes {
  readonly #codes: (number | null)[] = [];
  #more = 0;

  /** Adds that of the next command; `undefined` if it is unknown. */
  add(exitCode: number | undefined): void {
    if (this.#codes.length < MOST_CODES) this.#codes.push(exitCode ?? null);
    else this.#more++;
  }

  /** The keys for the line of the audit, each after a comma. */
  toKeys(): string {
    if (this.#codes.length === 0) return "";
    const more = this.#more === 0 ? "" : `,"moreCommands":${this.#more}`;
    return `,"exitCodes":${JSON.stringify(this.#codes)}${more}`;
  }
}

/** What a caller did besides a call, or to one: only what is known of the object has a key. */
export interface AuditedAct {
  readonly transport: Transport;
  /** Name of the caller who did it. */
  readonly caller: string;
  readonly address?: string | undefined;
  /** Id of the call. */
  readonly call?: string | undefined;
  /** Id of the job. */
  readonly job?: string | undefined;
  /** Name of the caller whose job or call it is. */
  readonly owner?: string;
  readonly tool?: string;
  /** How many bytes of input there are. */
  readonly bytes?: number;
  /** Whether the input ends. */
  readonly end?: boolean;
}

/** What is done besides calls. */
export type AuditedKind = "stop" | "input" | "delete" | "reload" | Decision;

/** Why a request or a call was rejected before it began. */
interface AuditedRefusal {
  readonly code: string;
  readonly transport: Transport;
  /** Address of the client; absent if there is none, as over stdio. */
  readonly address?: string | undefined;
  /** Name of the caller, if it is known. */
  readonly caller?: string;
  /** Name of the tool, if it was called. */
  readonly tool?: string;
}

/** The longest tool name that the audit repeats; a caller may send any text as a name. */
const NAME_LENGTH = 64;

/** The most exit codes that one line has. */
const MOST_CODES = 100;

/** The least time between two lines about refusals of one address. */
const REFUSALS_MS = 1_000;

/** Names a tool in the audit, however long the name is that the caller sent. */
export function toAuditName(name: string): string {
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH)}...`;
}

/**
 * Writes one JSON line at the start of each call and one at its end: time, id, transport, tool and
 * caller; at the end also its duration, its outcome and the exit codes of its commands. Neither contains
 * output, and the first one arguments only if the options say how. One line for each other effect: a call
 * or a job is stopped, approved or declined, a job gets input or is deleted, tools are loaded again. Of
 * what is rejected before it begins, at most one line a second for each address.
 */
export class AuditLog {
  readonly #sink: AuditSink;
  readonly #showArguments: AuditOptions["showArguments"];
  readonly #onEnded: AuditOptions["onEnded"];
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #refusals = new RefusalLimit(REFUSALS_MS);
  #calls = 0;
  #now = 0;
  #time = "";

  /** A function that is the sink has written a line when it returns. */
  constructor(sink: AuditSink | ((line: string) => void), options: AuditOptions = {}) {
    this.#showArguments = options.showArguments;
    this.#onEnded = options.onEnded;
    this.#sink = typeof sink === "function" ? { write: sink, written: immediately } : sink;
  }

  /** Records the start of a call. */
  start({ transport, tool, caller, job, args }: AuditedCall): AuditedStart {
    const startedAt = performance.now();
    const name = JSON.stringify(toAuditName(tool));
    const id = `${this.#run}-${++this.#calls}`;
    const by = JSON.stringify(caller);
    const who = `"id":"${id}","transport":"${transport}","tool":${name},"caller":${by}`;
    const time = this.#toIso(Date.now());
    const shown = this.#showArguments?.(args);
    const sent = shown === undefined ? "" : `,"args":${shown}`;
    this.#write(`{"audit":"start","time":"${time}",${who}${toJobKey(job)}${sent}}`);
    const written = this.#sink.written();
    const end = (outcome: string, exitCodes?: ExitCodes) => {
      const durationMs = Math.round(performance.now() - startedAt);
      const codes = exitCodes?.toKeys() ?? "";
      const took = `"durationMs":${durationMs},"outcome":${JSON.stringify(outcome)}${codes}`;
      this.#write(
        `{"audit":"end","time":"${this.#toIso(Date.now())}",${who}${toJobKey(job)},${took}}`,
      );
      const jobId = job?.();
      const ofJob = jobId === undefined ? {} : { job: jobId };
      const call = { id, tool: toAuditName(tool), caller, transport, startedAt: time, ...ofJob };
      this.#onEnded?.({ ...call, durationMs, outcome });
    };
    return { id, time, startedAt, written, end };
  }

  /** Records an effect by a request of its own, at once; resolves as the start of a call does. */
  async did(kind: AuditedKind, act: AuditedAct): Promise<void> {
    const { call, job, transport, tool, owner, bytes, end, caller, address } = act;
    const time = this.#toIso(Date.now());
    const what = { call, job, transport, tool: tool && toAuditName(tool), owner, bytes, end };
    this.#write(JSON.stringify({ audit: kind, time, ...what, caller, address }));
    await this.#sink.written();
  }

  /** Records a request or a call that was rejected before it began; `more` counts those without. */
  refused({ code, transport, address, caller, tool }: AuditedRefusal): void {
    const more = this.#refusals.take(address ?? `caller ${caller}`, performance.now());
    if (more === undefined) return;
    const line = {
      audit: "refused",
      time: this.#toIso(Date.now()),
      code,
      transport,
      address,
      tool: tool === undefined ? undefined : toAuditName(tool),
      caller,
      more: more === 0 ? undefined : more,
    };
    this.#write(JSON.stringify(line));
  }

  #write(json: string): void {
    this.#sink.write(toJsonLine(json));
  }

  /** Formats the time at most once per millisecond, because a busy server needs it often. */
  #toIso(now: number): string {
    if (now !== this.#now) {
      this.#now = now;
      this.#time = new Date(now).toISOString();
    }
    return this.#time;
  }
}

function toJobKey(job: AuditedCall["job"]): string {
  const id = job?.();
  return id === undefined ? "" : `,"job":${JSON.stringify(id)}`;
}

/** Where calls are recorded. */
export interface CallObservers {
  readonly registry: Pick<ToolRegistry, "has">;
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
  const tool = registry.has(name) ? name : undefined;
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

/** Addresses that are remembered; more of them at once share one entry. */
const MOST = 1_024;

/** Lets something happen at most once in a while for each address, and counts what it leaves out. */
export class RefusalLimit {
  readonly #everyMs: number;
  /** When it last happened, the oldest first, and how often it was left out since. */
  readonly #last = new Map<string, { readonly at: number; left: number }>();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /**
   * Returns how many were left out for an address since its last one, or `undefined` if this one is
   * to be left out too; `now` is in milliseconds and never goes back.
   */
  take(address: string, now: number): number | undefined {
    const key = this.#hasRoomFor(address, now) ? address : "others";
    const last = this.#last.get(key);
    if (last !== undefined && now - last.at < this.#everyMs) {
      last.left++;
      return undefined;
    }
    this.#last.delete(key);
    this.#last.set(key, { at: now, left: 0 });
    return last?.left ?? 0;
  }

  #hasRoomFor(address: string, now: number): boolean {
    if (this.#last.has(address) || this.#last.size < MOST) return true;
    for (const [oldest, { at }] of this.#last) {
      if (now - at < this.#everyMs) return false;
      return this.#last.delete(oldest);
    }
    return true;
  }
}

import type { Caller } from "../access/caller.ts";
import type { Transport } from "./service.ts";

/** A call that runs on this server: neither its arguments nor its output. */
export interface LiveCall {
  /** Id of the call, also in its lines of the audit. */
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Name of the caller. */
  readonly caller: string;
  /** The way by which the call came in. */
  readonly transport: Transport;
  /** Address of the client, or of the proxy in front of the server; absent without a connection. */
  readonly address?: string;
  /** When it began (ISO 8601). */
  readonly startedAt: string;
  /** How long it has been running, in milliseconds. */
  readonly elapsedMs: number;
  /** Id of the job, if the call is a run of one. */
  readonly job?: string;
  /** What it waits for before it begins its work; absent if it waits for nothing. */
  readonly waiting?: "approval";
  /** Whether it has been stopped and has not ended yet. */
  readonly stopping: boolean;
}

/** A call that has ended: neither its arguments nor its output. */
export interface EndedCallRecord
  extends Pick<LiveCall, "id" | "tool" | "caller" | "transport" | "startedAt" | "job"> {
  /** Name of the server that carried it out, where servers share their jobs. */
  readonly server?: string;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** `ok`, or the code of its refusal, as in the audit. */
  readonly outcome: string;
}

/** What a server, or several together, did for an hour or a day. */
export interface ServerFigures {
  /** How many seconds each sample is about. */
  readonly everySeconds: number;
  /** The samples, the oldest first. */
  readonly samples: readonly FigureSample[];
  /** The tools whose calls ended in that time. */
  readonly tools: readonly ToolFigures[];
}

/** How the calls of a tool went. */
export interface ToolFigures {
  /** Name of the tool. */
  readonly tool: string;
  /** How many calls ended. */
  readonly calls: number;
  /** How many of them had another outcome than `ok`. */
  readonly failures: number;
  /** The outcome of most of these, as in the audit; absent if none failed. */
  readonly failure?: string;
  /** How long half of them took at most, in milliseconds, to 5 %. */
  readonly p50Ms: number;
  /** How long 95 of a hundred took at most, in milliseconds, to 5 %. */
  readonly p95Ms: number;
  /** The one that took longest. */
  readonly longest: Pick<EndedCallRecord, "id" | "durationMs" | "startedAt" | "job" | "server">;
}

/** What a server did for a while, and how it was at its end. */
export interface FigureSample {
  /** The end of that time (ISO 8601). */
  readonly at: string;
  /** How many calls ended. */
  readonly calls: number;
  /** How many of them had another outcome than `ok`. */
  readonly failures: number;
  /** Commands that run. */
  readonly runs: number;
  /** Calls and jobs that wait for a permit. */
  readonly queue: number;
  /** Resident memory of the server, without its commands. */
  readonly memoryBytes: number;
}

/** What the server remembers of its calls. */
export interface CallHistory {
  /**
   * Those of the last 1,000 calls that a caller sees, the one that ended last at the top: of all servers
   * that share the jobs, also from before this start. While jobs can't be kept, those of this server
   * since its start.
   */
  list(caller: Caller): Promise<readonly EndedCallRecord[]>;
}

/** The calls that a caller sees, the one that began first at the top. */
export interface LiveCallList {
  /** At most 1,000 of them. */
  readonly calls: readonly LiveCall[];
  /** How many further ones there are. */
  readonly more: number;
}

/** Who stops a call, and from where. */
export interface Stopper {
  /** Who stops it. */
  readonly caller: Caller;
  /** Address of the client, for the audit. */
  readonly address?: string;
}

/**
 * The calls that run on this server, over every transport. A caller sees and stops its own; one that
 * administers the server those of all callers.
 */
export interface LiveCalls {
  /** Lists the calls that a caller sees. */
  list(caller: Caller): LiveCallList;
  /** One call, or `undefined` if the caller sees none with the id that runs. */
  find(id: string, caller: Caller): LiveCall | undefined;
  /**
   * Stops a call with its processes, and records in the audit who did. Resolves once it has ended, or
   * after 5 s with `stopping` if it has not; with `undefined` as `find()` does. Never rejects.
   */
  stop(id: string, by: Stopper): Promise<LiveCall | undefined>;
}

import type { Caller, Scope } from "../access/caller.ts";
import type { ServerState } from "./job.ts";
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

/** Where something is: the name of a server. */
export interface OnServer {
  /** `MCP_NAME` of the server. */
  readonly server: string;
}

/** What several servers answered. */
export interface FromServers {
  /**
   * Names of the servers that are alive as far as is known, and did not answer within a second; and of
   * those that were asked for and are not alive.
   */
  readonly unreachable: readonly string[];
}

/** The calls of several servers that a caller sees, the one that began first at the top. */
export interface FleetCallList extends FromServers {
  /** At most 1,000 of them. */
  readonly calls: readonly (LiveCall & OnServer)[];
  /** How many further ones there are. */
  readonly more: number;
}

/** How a server is. */
export interface ServerHealth extends OnServer {
  /** Version of Trestle. */
  readonly version: string;
  /** `draining` once it is to stop. */
  readonly state: ServerState;
  /** When it was started (ISO 8601). */
  readonly startedAt: string;
  /** Calls of all transports and runs of jobs that have begun. */
  readonly calls: number;
  /** Commands that run. */
  readonly runs: number;
  /** Calls and jobs that wait for a permit. */
  readonly queue: number;
  /** Jobs that this server has. */
  readonly jobs: { readonly queued: number; readonly running: number };
  /** Resident memory of the server, without its commands. */
  readonly memoryBytes: number;
}

/** How several servers are, by name. */
export interface FleetHealth extends FromServers {
  /** Those that answered. */
  readonly servers: readonly ServerHealth[];
}

/** The calls of several servers that wait for approval, the one that began first at the top. */
export interface FleetApprovals extends FromServers {
  /** Those that wait on the servers that answered. */
  readonly approvals: readonly (Approval & OnServer)[];
}

/** The metrics of several servers, in the text format of Prometheus. */
export interface FleetMetrics extends FromServers {
  /** The samples, each with the label `server`. */
  readonly text: string;
}

/** What a server did, as far back as its start. */
export interface Figures {
  /** The last hour, in steps of 15 s. */
  readonly hour: ServerFigures;
  /** The last day, in steps of 5 minutes. */
  readonly day: ServerFigures;
}

/** What several servers did, added up. */
export interface FleetFigures extends Figures, FromServers {
  /** Names of those that answered. */
  readonly servers: readonly string[];
}

/** What became of the wish to stop a call. */
export type StopVerdict =
  /** It is being stopped, or has ended. */
  | { readonly kind: "stopped"; readonly call: LiveCall & OnServer }
  /** Its tool needs a scope that the token of the caller does not have. */
  | { readonly kind: "needsScope"; readonly scope: Scope }
  /** The caller sees no such call on the servers that answered. */
  | ({ readonly kind: "unknown" } & FromServers);

/** What became of a decision: if no server that answered has the call, another one may. */
export type FleetDecision = DecisionVerdict & FromServers;

/**
 * What the servers of a fleet do, seen from any of them; where jobs are not shared, there is only this
 * one. `server` is the name of those that answer, or `*` for all. A caller sees and stops its own
 * calls, and one that administers a server those of all callers there: each server decides by the
 * rights that the caller has on it. Rejects with a `JobError` (`JOBS_UNAVAILABLE`, or `BUSY` if too
 * much is asked at once).
 */
export interface FleetDesk {
  /** Lists the calls that run. */
  calls(caller: Caller, server: string): Promise<FleetCallList>;
  /**
   * Stops a call, wherever it runs, with its processes; resolves once it has ended, or after some 5 s
   * with `stopping`.
   */
  stop(id: string, by: Stopper): Promise<StopVerdict>;
  /** Says how servers are; without a name, how this one is. */
  health(server?: string): Promise<FleetHealth>;
  /** The metrics of servers. */
  metrics(server: string): Promise<FleetMetrics>;
  /** What this server did. */
  ownFigures(): Figures;
  /** What servers did, added up. */
  figures(server: string): Promise<FleetFigures>;
  /** Lists the calls that wait for approval, for an admin of each server. */
  approvals(caller: Caller, server: string): Promise<FleetApprovals>;
  /** Decides about a call that waits, wherever it does, as `ApprovalDesk.decide()`. */
  decide(id: string, decision: Decision, by: Decider): Promise<FleetDecision>;
}

/** What is decided about a call that waits for approval. */
export type Decision = "approve" | "decline";

/** The decisions about a call that waits for approval. */
export const DECISIONS = ["approve", "decline"] as const satisfies readonly Decision[];

/** The arguments of a call as a person sees them: JSON text of a bounded length. */
export interface ShownArguments {
  /** Printable characters only: all others are escaped, and secrets are redacted. */
  readonly text: string;
  /** Size of the arguments as JSON text, in characters. */
  readonly length: number;
  /** Whether a part of them is left out, or redacted as a whole because of its name. */
  readonly truncated: boolean;
}

/** A call that waits for approval: nothing of it has been carried out. Optional keys appear if they apply. */
export interface Approval {
  /** Unguessable. */
  readonly id: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Name of the caller. */
  readonly caller: string;
  /** The way by which the call came in. */
  readonly transport: Transport;
  /** Address of the client. */
  readonly address?: string;
  /** Id of the call, once it runs. */
  readonly call?: string;
  /** Id of the job that waits. */
  readonly job?: string;
  /** The arguments that the call has. */
  readonly arguments: ShownArguments;
  /** Whether it is a job that takes input, about which nobody is asked. */
  readonly stdin?: true;
  /** Whether the user of its client is asked, too. */
  readonly inClient: boolean;
  /** When it began to wait (ISO 8601). */
  readonly createdAt: string;
  /** When it is refused, unless it is approved by then (ISO 8601). */
  readonly expiresAt: string;
}

/** Who decides, and from where. */
export interface Decider {
  /** Who decides; must administer the server. */
  readonly caller: Caller;
  /** Address of the client, for the audit. */
  readonly address?: string;
}

/** What became of a decision. */
export type DecisionVerdict =
  | { readonly ok: true; readonly approval: Approval }
  | {
    readonly ok: false;
    readonly code: "APPROVAL_NOT_FOUND" | "NOT_ALLOWED";
    readonly reason: string;
  };

/** The calls of all callers that wait for approval on this server. */
export interface ApprovalDesk {
  /** Those that wait, the one that began first at the top. */
  list(): readonly Approval[];
  /**
   * Decides about one, once the audit says who did; of several decisions about one call, the first
   * counts. A call can't be approved or declined here by its own caller.
   */
  decide(id: string, decision: Decision, by: Decider): Promise<DecisionVerdict>;
}

import type { Caller, Scope } from "../access/caller.ts";
import type { Approval, Decider, Decision, DecisionVerdict } from "./approval.ts";
import type { ServerState } from "./job.ts";
import type { LiveCall, ServerFigures, Stopper } from "./live_calls.ts";

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

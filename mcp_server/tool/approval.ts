import type { Caller } from "../access/caller.ts";
import type { Transport } from "./service.ts";

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

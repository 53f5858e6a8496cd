import { type Caller, isAdmin } from "../access/caller.ts";
import { firstOf, untilAborted } from "../shared/concurrency.ts";
import { messageOf, quote, ToolError } from "../shared/error.ts";
import type { Limits } from "../shared/limits.ts";
import {
  type Approval,
  type ApprovalDesk,
  type Decider,
  type Decision,
  DECISIONS,
  type DecisionVerdict,
  type ShownArguments,
} from "../tool/fleet_desk.ts";
import type { Refusal } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";
import type { AskUser, Question, Reply } from "../tool/tool.ts";
import type { AuditLog } from "./audit.ts";
import { approvalsBusy, needsApproval, stoppedBy } from "./refusals.ts";
import { showArguments } from "./shown_call.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { type OutputOf, type SchemaLike, toReadySchema } from "../tool/schema.ts";

/** Who could approve the calls that wait. */
export interface ApprovalRules {
  /** Whether there may be callers who approve the calls of others. */
  readonly hasOthers: boolean;
  /** Aborts once a caller has other rights than these, or none; `undefined` if they can't change. */
  readonly revokedOf: (caller: Caller) => AbortSignal | undefined;
  /** Redacts the secrets in arguments, for `JSON.stringify()`. */
  readonly replacer: (key: string, value: unknown) => unknown;
}

/** The rules of a server whose callers and their rights don't change. */
const NO_RULES: ApprovalRules = {
  hasOthers: true,
  revokedOf: () => undefined,
  replacer: (_key, value) => value,
};

/** What approvals work with. */
interface ApprovalsParts {
  /** @default {there may be other callers, whose rights don't change} */
  readonly rules?: ApprovalRules | undefined;
  readonly limits: Pick<Limits, "approvalMs" | "maxCalls">;
  /** Records who decides. */
  readonly audit: Pick<AuditLog, "did">;
}

/** A call that needs approval. */
export interface ApprovalRequest {
  readonly tool: string;
  /** The arguments, as its client sent them. */
  readonly input: unknown;
  readonly options: Pick<CallOptions, "caller" | "transport" | "address">;
  /** Ends the wait without an approval. */
  readonly signal: AbortSignal;
  /** Asks the user of its client; absent if that can't be asked. */
  readonly ask?: AskUser | undefined;
  /** Whether it is a job that takes input. @default {false} */
  readonly stdin?: boolean;
  /** Id of the call, if it runs. */
  readonly call?: string | undefined;
  /** Id of the job, once the call is one. */
  readonly job?: (() => string | undefined) | undefined;
}

/** How many calls wait at most: of all callers, and of one. */
const MOST_WAITING = { all: 128, ofCaller: 16 };
/** How many characters of the arguments are shown: to an admin, and to the user of a client. */
const MOST_SHOWN = { admin: 16_384, client: 4_096 };

/**
 * Lets calls wait until they are approved: by the user of their own client, or by an admin who is
 * another caller. The first decision counts. Calls that wait are in memory only and have done nothing
 * yet: what ends the server, the call, or the rights of its caller ends the wait without an approval.
 */
export class Approvals implements ApprovalDesk {
  readonly #parts: ApprovalsParts;
  readonly #rules: ApprovalRules;
  readonly #waiting = new Map<string, WaitingCall>();

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
    this.#rules = parts.rules ?? NO_RULES;
  }

  /** Why no further call of a caller can wait, or `undefined` if one can. */
  refuseMore({ name }: Caller): Refusal | undefined {
    const most = Math.min(MOST_WAITING.all, Math.ceil(this.#parts.limits.maxCalls / 2));
    const own = this.list().filter(({ caller }) => caller === name).length;
    if (this.#waiting.size < most && own < MOST_WAITING.ofCaller) return undefined;
    return approvalsBusy(name, { own, all: this.#waiting.size });
  }

  /** Resolves once a call is approved; or with the refusal of one that is not. */
  async obtain({ ask: askUser, ...request }: ApprovalRequest): Promise<Refusal | undefined> {
    const { tool, input, signal, options: { caller } } = request;
    const ask = mayAskClient(caller) ? askUser : undefined;
    if (ask === undefined && !this.#rules.hasOthers) return needsApproval(tool, NOBODY);
    const full = this.refuseMore(caller);
    if (full !== undefined) return full;
    const before = JSON.stringify(input);
    const revoked = this.#rules.revokedOf(caller);
    const refusal = await this.#wait({ ...request, ask }, revoked);
    if (refusal !== undefined) return refusal;
    // What happened while the decision was recorded counts, too.
    if (signal.aborted) return stoppedBy(signal);
    if (revoked?.aborted === true) return needsApproval(tool, REVOKED);
    return JSON.stringify(input) === before ? undefined : needsApproval(tool, CHANGED);
  }

  list(): readonly Approval[] {
    return [...this.#waiting.values()].map(({ view }) => view);
  }

  /** Whether a job waits for approval. */
  isWaiting(job: string): boolean {
    return this.#waiting.size > 0 && this.list().some((view) => view.job === job);
  }

  async decide(
    id: string,
    decision: Decision,
    { caller, address }: Decider,
  ): Promise<DecisionVerdict> {
    const refuse = (code: "APPROVAL_NOT_FOUND" | "NOT_ALLOWED", state: string) => {
      return { ok: false, code, reason: `Cannot ${decision} ${quote(id, 64)}: ${state}` } as const;
    };
    if (!isAdmin(caller)) return refuse("NOT_ALLOWED", `"${caller.name}" is no admin`);
    const waiting = this.#waiting.get(id);
    if (waiting?.view.caller === caller.name) {
      return refuse("NOT_ALLOWED", `the call is of "${caller.name}" itself; another admin decides`);
    }
    if (waiting?.claim() !== true) {
      return refuse(
        "APPROVAL_NOT_FOUND",
        "no call waits with this id: it is decided, or has ended",
      );
    }
    const by = `the admin "${caller.name}"`;
    await this.#conclude(waiting, decision, { by, caller, address, transport: "http" });
    return { ok: true, approval: waiting.view };
  }

  async #wait(
    request: ApprovalRequest,
    revoked: AbortSignal | undefined,
  ): Promise<Refusal | undefined> {
    const { tool, input, signal, ask, stdin, options } = request;
    const { limits: { approvalMs: timeoutMs } } = this.#parts;
    const waiting = new WaitingCall(
      this.#toView(request),
      () => this.#waiting.delete(waiting.view.id),
    );
    this.#waiting.set(waiting.view.id, waiting);
    const refuse = (refusal: Refusal) => void (waiting.claim() && waiting.end(refusal));
    using _deadline = firstOf({ signal, timeoutMs }, (end) => {
      refuse(end === "aborted" ? stoppedBy(signal) : needsApproval(tool, unanswered(timeoutMs)));
    });
    using _revoked = firstOf({ signal: revoked }, () => refuse(needsApproval(tool, REVOKED)));
    const withdrawn = new AbortController();
    if (ask !== undefined && !waiting.isClaimed) {
      const shown = showArguments(input, MOST_SHOWN.client, this.#rules.replacer);
      askDecision({ tool, shown, stdin, ask, signal: withdrawn.signal }).then(async (decision) => {
        if (!waiting.claim()) return;
        await this.#conclude(waiting, decision, { ...options, by: "the user of its client" });
      }).catch((error) => refuse(needsApproval(tool, toState(error))));
    }
    const refusal = await waiting.ended;
    withdrawn.abort();
    return refusal;
  }

  /** Ends the wait of a call that is claimed, once the audit has the line of who decided. */
  async #conclude(
    { view, end }: WaitingCall,
    decision: Decision,
    { by, caller: { name }, transport, address }: ApprovalRequest["options"] & {
      readonly by: string;
    },
  ): Promise<void> {
    const { call, job, tool, caller } = view;
    const owner = caller === name ? undefined : caller;
    let refusal: Refusal | undefined = needsApproval(tool, UNRECORDED);
    try {
      const what = { call, job, tool, owner };
      await this.#parts.audit.did(decision, { ...what, transport, caller: name, address });
      refusal = decision === "approve" ? undefined : needsApproval(tool, `${by} declined it`);
    } finally {
      end(refusal);
    }
  }

  #toView({ tool, input, options, ask, stdin, call, job }: ApprovalRequest): Approval {
    const { caller: { name: caller }, transport, address } = options;
    const now = Date.now();
    return {
      id: crypto.randomUUID(),
      tool,
      caller,
      transport,
      address,
      call,
      get job() {
        return job?.();
      },
      arguments: showArguments(input, MOST_SHOWN.admin, this.#rules.replacer),
      stdin: stdin === true ? stdin : undefined,
      inClient: ask !== undefined,
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + this.#parts.limits.approvalMs).toISOString(),
    };
  }
}

/** Whether the user of a client may approve the calls of a caller. */
export function mayAskClient({ rights }: Caller): boolean {
  return rights?.askBy !== "admin";
}

const NOBODY =
  "nobody can give it: its client can't ask a user, and this server has no other caller";
const REVOKED = "the rights of its caller changed while it waited";
const UNRECORDED = "the audit could not record who decided";
const CHANGED = "its arguments changed while it waited";

function unanswered(ms: number): string {
  return `nobody decided within ${ms / 1_000} s (MCP_APPROVAL_MS)`;
}

/** Why the user of a client has decided nothing. */
function toState(error: unknown): string {
  const isChanged = error instanceof ToolError && error.code === "ARGUMENTS_CHANGED";
  return isChanged ? CHANGED : `its client did not ask: ${messageOf(error)}`;
}

/** A call that waits; whoever claims it first ends the wait. */
class WaitingCall {
  readonly view: Approval;
  /** Resolves with the refusal, or without one if the call is approved. */
  readonly ended: Promise<Refusal | undefined>;
  /** Ends the wait; only for who has claimed it. */
  readonly end: (refusal: Refusal | undefined) => void;
  readonly #onClaimed: () => void;
  #isClaimed = false;

  constructor(view: Approval, onClaimed: () => void) {
    this.view = view;
    this.#onClaimed = onClaimed;
    const { promise, resolve } = Promise.withResolvers<Refusal | undefined>();
    this.ended = promise;
    this.end = resolve;
  }

  /** Whether somebody ends the wait already. */
  get isClaimed(): boolean {
    return this.#isClaimed;
  }

  /** Takes the call from the list; `false` if somebody has. */
  claim(): boolean {
    if (this.#isClaimed) return false;
    this.#isClaimed = true;
    this.#onClaimed();
    return true;
  }
}

/**
 * Asks the user of a client and checks the answer. Rejects with a `ToolError` if nobody can be asked
 * (`CANNOT_ASK`) or if the answer does not match the schema (`WRONG_ANSWER`), and with the signal's
 * reason if the call is stopped before.
 */
export async function askUser<Schema extends SchemaLike>(
  { message, schema }: Question<Schema>,
  ask: AskUser | undefined,
  signal: AbortSignal,
): Promise<Reply<OutputOf<Schema>>> {
  if (ask === undefined) {
    throw new ToolError(
      "Cannot ask the user: this way of calling has no user who could be asked; " +
        "call over MCP with a client that declares elicitation",
      { code: "CANNOT_ASK" },
    );
  }
  const ready = toReadySchema(schema, "input");
  const reply = await untilAborted(ask({ message, schema: toForm(ready.json) }), signal);
  if (reply.action !== "accept") return { action: reply.action };
  const answer = await ready.validate(reply.content);
  if (!answer.ok) {
    const issue = answer.issues[0];
    throw new ToolError(
      `Cannot use the user's answer: ${issue?.path.join(".")}: ${issue?.message}`,
      { code: "WRONG_ANSWER" },
    );
  }
  // The schema has typed the value.
  return { action: "accept", content: answer.value as OutputOf<Schema> };
}

/** What a form may be: an object of plain values. Throws a `TypeError` for any other schema. */
function toForm({ type, properties, required }: JsonObject): JsonObject {
  if (type === "object" && isJsonObject(properties) && Object.keys(properties).length > 0) {
    return { type, properties, ...(required === undefined ? {} : { required }) };
  }
  throw new TypeError("Cannot ask the user: the schema of the answer is no object with properties");
}

/** The form in which a user approves a call: that it was sent is no approval. */
const DECISION_FORM: JsonObject = {
  type: "object",
  properties: {
    decision: {
      type: "string",
      title: "Decision",
      description: "approve lets the call run; nothing of it has run yet",
      enum: [...DECISIONS],
    },
  },
  required: ["decision"],
};

/**
 * Asks the user of a client to approve a call, until the signal withdraws the question. Anything but
 * the explicit approval declines.
 */
export async function askDecision(
  { tool, shown, stdin = false, ask, signal }: {
    readonly tool: string;
    readonly shown: ShownArguments;
    readonly stdin?: boolean | undefined;
    readonly ask: AskUser;
    readonly signal: AbortSignal;
  },
): Promise<Decision> {
  const input = stdin ? "It will take any input without another question. " : "";
  const message = `Approve this call of "${tool}"? ${input}Its arguments are:\n${shown.text}`;
  const question = { message, schema: DECISION_FORM, signal, needsSameArguments: true };
  const reply = await ask(question);
  const content = reply.action === "accept" ? reply.content : undefined;
  return isJsonObject(content) && content.decision === "approve" ? "approve" : "decline";
}

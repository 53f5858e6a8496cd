import {
  ArgumentsError,
  BusyError,
  JsonRpcError,
  messageOf,
  NotAllowedError,
  ToolError,
} from "../shared/error.ts";
import { type Caller, DEFAULT_CALLER, type Scope } from "../access/caller.ts";
import { JobError } from "../tool/job.ts";
import type { Log } from "../shared/log.ts";
import type { CallOutcome, Refusal } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { describeIssues, type Invalid } from "../tool/schema.ts";
import { toAuditName } from "./audit.ts";
import { cutText } from "./fit_result.ts";

/** Why calls are rejected or stopped while the server shuts down. */
export const SHUTTING_DOWN: Refusal = Object.freeze({
  kind: "SHUTTING_DOWN",
  code: "SHUTTING_DOWN",
  message: "The server is shutting down; call again when it is back",
});

/** Why a call that its client stopped has no answer. */
export const CANCELLED: Refusal = Object.freeze({
  kind: "CANCELLED",
  code: "CANCELLED",
  message: "The call was cancelled",
});

/** Rejects an unknown tool name, and lists the existing ones. */
export function unknownTool(name: string, tools: readonly ToolDefinition[]): Refusal {
  const names = tools.map((tool) => tool.name).join(", ");
  return {
    kind: "UNKNOWN_TOOL",
    code: "UNKNOWN_TOOL",
    message: `Cannot call "${toAuditName(name)}": there is no such tool; the tools are ${names}`,
  };
}

/** Rejects a tool that the caller may not use, and names the rule. */
export function toolNotAllowed(tool: string, { name, rights }: Caller): Refusal {
  const rule = rights?.tools.join(", ") || "none";
  return {
    kind: "NOT_ALLOWED",
    code: "NOT_ALLOWED",
    message: `Cannot call "${tool}": it is not among the tools of the caller "${name}" (${rule})`,
  };
}

/** Rejects a tool that may change something. */
export function toolNotReadOnly(tool: string, { name }: Caller): Refusal {
  return {
    kind: "NOT_ALLOWED",
    code: "NOT_ALLOWED",
    message: `Cannot call "${tool}": the caller "${name}" may only use tools that change nothing`,
  };
}

/**
 * Rejects a tool that the token of the caller has no scope for. Over HTTP, clients are asked for a
 * better token before a call gets here.
 */
export function scopeMissing(tool: string, scope: Scope): Refusal {
  return {
    kind: "NOT_ALLOWED",
    code: "NOT_ALLOWED",
    message:
      `Cannot call "${tool}": the token of the caller does not have the scope ${scope}; get one that does`,
  };
}

/** Rejects a job whose caller this server does not know. */
export function unknownCaller(name: string): Refusal {
  return {
    kind: "NOT_ALLOWED",
    code: "NOT_ALLOWED",
    message: `Cannot run the job: the server that took it knows no caller "${name}"; ` +
      "give all servers the same callers file",
  };
}

/** Rejects arguments, and says what is wrong with each. */
export function invalidArguments(tool: string, { issues, more = 0 }: Invalid): Refusal {
  return {
    kind: "INVALID_ARGUMENTS",
    code: "INVALID_ARGUMENTS",
    message: `Cannot call "${tool}": ${describeIssues({ issues, more })}`,
    issues,
    ...(more > 0 ? { moreIssues: more } : {}),
  };
}

/** Rejects a call while too many are running. */
export function tooManyCalls(maxCalls: number): Refusal {
  return {
    kind: "BUSY",
    code: "BUSY",
    message: `Cannot start the call: ${maxCalls} calls are running; try again in a moment`,
    retryAfterSeconds: 1,
  };
}

/** Rejects a call while too many of its caller are running. */
export function callerBusy(caller: string, maxCalls: number): Refusal {
  return {
    kind: "BUSY",
    code: "BUSY",
    message: `Cannot start the call: ${maxCalls} calls of the caller "${caller}" are running ` +
      `(maxCalls); try again in a moment`,
    retryAfterSeconds: 1,
  };
}

/** Rejects a call that needed approval and has none, as `state` says; nothing of it was carried out. */
export function needsApproval(tool: string, state: string): Refusal {
  return {
    kind: "NEEDS_APPROVAL",
    code: "NEEDS_APPROVAL",
    message:
      `Cannot call "${tool}": it needs approval, and ${state}; nothing of it was carried out`,
  };
}

/** Rejects a call that needs approval while too many wait for theirs. */
export function approvalsBusy(
  caller: string,
  { own, all }: { readonly own: number; readonly all: number },
): Refusal {
  return {
    kind: "BUSY",
    code: "BUSY",
    message:
      `Cannot start the call: ${all} calls wait for approval, ${own} of them of the caller ` +
      `"${caller}"; try again once some are decided`,
    retryAfterSeconds: 10,
  };
}

/** Rejects a time-out that is longer than the settings or the rights of the caller allow. */
export function timeoutTooLong(
  tool: string,
  { argument, most, rule }: {
    readonly argument: string;
    readonly most: number;
    readonly rule: string;
  },
): Refusal {
  return invalidArguments(tool, {
    issues: [{ path: [argument], message: `must be at most ${most} ${rule}` }],
  });
}

/** Why a call that a caller stopped by a request of its own has no answer; names the caller. */
export function stoppedByCaller({ name }: Caller): Refusal {
  const who = name === DEFAULT_CALLER.name ? "an operator of the server" : `the caller "${name}"`;
  return { ...CANCELLED, message: `The call was stopped by ${who}` };
}

/** Says why a stopped call has no answer. */
export function stoppedBy(signal: AbortSignal): Refusal {
  return signal.reason === SHUTTING_DOWN ? SHUTTING_DOWN : CANCELLED;
}

/**
 * Turns whatever a tool threw into a refusal for the caller; a crash is described only in the log.
 */
export function toFailure(
  tool: string,
  error: unknown,
  { redact, log, most = Infinity }: {
    readonly redact: (text: string) => string;
    readonly log: Log;
    /** How many characters its message may have. */
    readonly most?: number | undefined;
  },
): Refusal {
  if (error instanceof BusyError) {
    const { message, retryAfterSeconds } = error;
    return { kind: "BUSY", code: "BUSY", message, retryAfterSeconds };
  }
  if (error instanceof ToolError) {
    const message = cutText(redact(messageOf(error)), most);
    if (error instanceof ArgumentsError) return wrongArgument(error.argument, message);
    return { ...toKind(error), code: error.code, message, ...toRpcError(error) };
  }
  log.error("a tool crashed", { tool, error });
  return {
    kind: "TOOL_CRASHED",
    code: "TOOL_CRASHED",
    message: `The tool "${tool}" crashed; the server's log says why`,
  };
}

function wrongArgument(argument: string, message: string): Refusal {
  const issues = [{ path: [argument], message }];
  return { kind: "INVALID_ARGUMENTS", code: "INVALID_ARGUMENTS", message, issues };
}

/** A job that can't be started is refused as a call would be, also by a tool that starts it. */
function toKind(error: ToolError): Pick<Refusal, "kind" | "retryAfterSeconds"> {
  const isOurs = error instanceof NotAllowedError || error instanceof JobError;
  if (isOurs && error.code === "NOT_ALLOWED") return { kind: "NOT_ALLOWED" };
  if (isOurs && error.code === "NEEDS_APPROVAL") return { kind: "NEEDS_APPROVAL" };
  if (isOurs && error.code === "BUSY") return { kind: "BUSY", retryAfterSeconds: 1 };
  return { kind: "TOOL_FAILED" };
}

function toRpcError(error: ToolError): Pick<Refusal, "rpcError"> {
  if (!(error instanceof JsonRpcError)) return {};
  const { rpcCode: code, data } = error;
  return { rpcError: { code, ...(data === undefined ? {} : { data }) } };
}

/** The outcome of a call that was not carried out. */
export type Refused = Extract<CallOutcome, { readonly ok: false }>;

/** Says that a call was not carried out. */
export function refuse(refusal: Refusal): Refused {
  return { ok: false, refusal };
}

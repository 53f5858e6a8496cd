import type { JobError, JobErrorCode } from "../tool/job.ts";
import type { Refusal } from "../tool/result.ts";

/** What a code tells the client: the status of its response, and what it means. */
interface CodeRow {
  readonly status: number;
  /** For the document of the API. */
  readonly meaning: string;
}

/**
 * Every code of the HTTP API, but for those that tools choose for their failures: these have the status
 * of `TOOL_FAILED`.
 */
export const CODES = {
  BAD_REQUEST: { status: 400, meaning: "The body is not a call, or a header is malformed" },
  HOST_MISSING: { status: 400, meaning: "There is no Host header" },
  BODY_UNREADABLE: { status: 400, meaning: "The body ended early" },
  MALFORMED_JSON: { status: 400, meaning: "The body is not JSON, or not UTF-8" },
  UNAUTHORIZED: { status: 401, meaning: "There is no token, or it is not known" },
  HOST_NOT_ALLOWED: {
    status: 403,
    meaning: "The Host header names no host that the operator allows",
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning: "The page is of an origin that the operator does not allow",
  },
  INSUFFICIENT_SCOPE: { status: 403, meaning: "The token lacks a scope that this needs" },
  NOT_ALLOWED: { status: 403, meaning: "The caller may not do this" },
  NEEDS_APPROVAL: {
    status: 403,
    meaning: "The call needs approval and has none: declined, unanswered, or changed; nothing ran",
  },
  NOT_FOUND: { status: 404, meaning: "The server has no such path" },
  UNKNOWN_TOOL: { status: 404, meaning: "No tool has this name" },
  CALL_NOT_FOUND: { status: 404, meaning: "No call with this id runs that the caller sees" },
  APPROVAL_NOT_FOUND: {
    status: 404,
    meaning: "No call waits with this id: it was decided about, or has ended",
  },
  JOB_NOT_FOUND: {
    status: 404,
    meaning: "The caller has no job with this id: it is unknown, expired, or another caller's",
  },
  METHOD_NOT_ALLOWED: { status: 405, meaning: "The path has no such method" },
  JOB_NOT_ENDED: { status: 409, meaning: "The job has not ended" },
  JOB_NOT_RUNNING: { status: 409, meaning: "The job does not run" },
  JOB_WITHOUT_STDIN: { status: 409, meaning: "The job was not started with stdin: true" },
  STDIN_CLOSED: {
    status: 409,
    meaning: "The input of the job has ended, or nothing reads it anymore",
  },
  BODY_TOO_LARGE: { status: 413, meaning: "The body is larger than MCP_MAX_BODY_BYTES" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: "The body is not application/json" },
  BAD_OFFSET: {
    status: 416,
    meaning: "There are no such bytes: they are beyond the end, or in the gap",
  },
  INVALID_ARGUMENTS: {
    status: 422,
    meaning: "The arguments of the tool, or a parameter, are wrong; issues says how",
  },
  TOOL_FAILED: {
    status: 422,
    meaning: "The tool can't do what was requested; a tool may use a code of its own",
  },
  BAD_CURSOR: { status: 422, meaning: "The cursor, or Last-Event-ID, is not one of this server" },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: "The Idempotency-Key was sent with another call",
  },
  BUSY: {
    status: 429,
    meaning: "The server is busy; try again after the seconds in Retry-After",
  },
  CANCELLED: {
    status: 499,
    meaning: "The call was stopped: by its client, by another request, or with its job",
  },
  TOOL_CRASHED: {
    status: 500,
    meaning: "The tool crashed, or returned something that is not JSON",
  },
  JOB_LOST: {
    status: 500,
    meaning: "The server that ran the job is gone, and with it the outcome",
  },
  INTERNAL: { status: 500, meaning: "The server failed; its log says why" },
  TOOLS_UNREADABLE: { status: 500, meaning: "A folder of tools can't be read" },
  ISSUER_UNAVAILABLE: {
    status: 503,
    meaning: "The token can't be checked now, because its issuer does not answer",
  },
  SHUTTING_DOWN: {
    status: 503,
    meaning: "The server is shutting down; call again when it is back",
  },
  SERVER_UNREACHABLE: {
    status: 503,
    meaning: "A server of the fleet that may have what was asked for did not answer",
  },
  JOBS_UNAVAILABLE: { status: 503, meaning: "Jobs can't be kept now" },
  TEMP_FOLDER_UNUSABLE: {
    status: 507,
    meaning: "The temporary folder of the server is full, missing or read-only",
  },
  STORAGE_FULL: { status: 507, meaning: "The disk on which jobs are kept is full" },
} as const satisfies Readonly<Record<JobErrorCode, CodeRow>> & Readonly<Record<string, CodeRow>>;

/** A code that has a row in the table. */
export type Code = keyof typeof CODES;

/** Codes of tools that keep their own status: the server's operator has to act, not the caller. */
const OPERATOR_CODES = ["TEMP_FOLDER_UNUSABLE", "STORAGE_FULL", "JOBS_UNAVAILABLE"] as const;

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  499: "Client Closed Request",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

/** A problem of the HTTP API (RFC 9457), with a stable `code` for programs. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly issues?: Refusal["issues"];
  readonly moreIssues?: Refusal["moreIssues"];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A value out of a request, or the problem with it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

/** The problem of a code. */
export function problemOf(code: Code, detail: string, headers?: Problem["headers"]): Problem {
  return { status: CODES[code].status, code, detail, headers };
}

/** What can't be read of a request. */
export function refuse(code: Code, detail: string): Parsed<never> {
  return { ok: false, problem: problemOf(code, detail) };
}

/** The problem of a wrong parameter in the query of a URL. */
export function refuseParameter(name: string, message: string): Parsed<never> {
  const problem = problemOf("INVALID_ARGUMENTS", `The parameter "${name}" ${message}`);
  return { ok: false, problem: { ...problem, issues: [{ path: [name], message }] } };
}

/** The problem that describes a rejected call. */
export function toProblem(refusal: Refusal): Problem {
  const { kind, code, message, issues, moreIssues, retryAfterSeconds } = refusal;
  const { status } = CODES[OPERATOR_CODES.find((one) => one === code) ?? kind];
  const headers = retryAfterSeconds === undefined
    ? undefined
    : { "retry-after": String(retryAfterSeconds) };
  return { status, code, detail: message, issues, moreIssues, headers };
}

/** The problem that describes what can't be done with a job. */
export function toJobProblem({ code, message, refusal }: JobError): Problem {
  if (refusal !== undefined) return toProblem(refusal);
  return problemOf(code, message, code === "BUSY" ? { "retry-after": "1" } : undefined);
}

/** The JSON object of a problem. */
export function problemBody({ status, code, detail, issues, moreIssues }: Problem): object {
  return { status, title: TITLES[status], detail, code, issues, moreIssues };
}

/** Answers with a problem as `application/problem+json`. */
export function problemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problemBody(problem)), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", ...problem.headers },
  });
}

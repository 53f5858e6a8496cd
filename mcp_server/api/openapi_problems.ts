import type { JobErrorCode } from "../tool/job.ts";
import { STATUS_OF_JOB } from "../http/job_problem.ts";
import { refTo } from "./openapi_parts.ts";
import { problemBody, STATUS_OF_CODE } from "../http/problem.ts";

/** Codes of requests that are rejected before they reach a tool or a job. */
type RequestCode =
  | "BAD_REQUEST"
  | "HOST_MISSING"
  | "BODY_UNREADABLE"
  | "MALFORMED_JSON"
  | "UNAUTHORIZED"
  | "HOST_NOT_ALLOWED"
  | "ORIGIN_NOT_ALLOWED"
  | "INSUFFICIENT_SCOPE"
  | "CALL_NOT_FOUND"
  | "BODY_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "INTERNAL"
  | "ISSUER_UNAVAILABLE";

/** Every code of the described operations, but for those that tools choose for their failures. */
export type ProblemCode = RequestCode | JobErrorCode | "TEMP_FOLDER_UNUSABLE";

const STATUS: Readonly<Record<ProblemCode, number>> = {
  ...STATUS_OF_JOB,
  TEMP_FOLDER_UNUSABLE: STATUS_OF_CODE.TEMP_FOLDER_UNUSABLE,
  BAD_REQUEST: 400,
  HOST_MISSING: 400,
  BODY_UNREADABLE: 400,
  MALFORMED_JSON: 400,
  UNAUTHORIZED: 401,
  HOST_NOT_ALLOWED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  INSUFFICIENT_SCOPE: 403,
  CALL_NOT_FOUND: 404,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL: 500,
  ISSUER_UNAVAILABLE: 503,
};

/** What each code means, as the `detail` of its example. */
const MEANING: Readonly<Record<ProblemCode, string>> = {
  BAD_REQUEST: "The body is not a call, or a header is malformed",
  HOST_MISSING: "There is no Host header",
  BODY_UNREADABLE: "The body ended early",
  MALFORMED_JSON: "The body is not JSON, or not UTF-8",
  UNAUTHORIZED: "There is no token, or it is not known",
  HOST_NOT_ALLOWED: "The Host header names no host that the operator allows",
  ORIGIN_NOT_ALLOWED: "The page is of an origin that the operator does not allow",
  INSUFFICIENT_SCOPE: "The token lacks a scope that this needs",
  NOT_ALLOWED: "The caller may not do this",
  UNKNOWN_TOOL: "No tool has this name",
  CALL_NOT_FOUND: "No call with this id runs that the caller sees",
  JOB_NOT_FOUND: "The caller has no job with this id: it is unknown, expired, or another caller's",
  JOB_NOT_ENDED: "The job has not ended",
  JOB_NOT_RUNNING: "The job does not run",
  JOB_WITHOUT_STDIN: "The job was not started with stdin: true",
  STDIN_CLOSED: "The input of the job has ended, or nothing reads it anymore",
  BODY_TOO_LARGE: "The body is larger than MCP_MAX_BODY_BYTES",
  UNSUPPORTED_MEDIA_TYPE: "The body is not application/json",
  BAD_OFFSET: "There are no such bytes: they are beyond the end, or in the gap",
  INVALID_ARGUMENTS: "The arguments of the tool, or a parameter, are wrong; issues says how",
  TOOL_FAILED: "The tool can't do what was requested; a tool may use a code of its own",
  BAD_CURSOR: "The cursor, or Last-Event-ID, is not one of this server",
  IDEMPOTENCY_KEY_REUSED: "The Idempotency-Key was sent with another call",
  BUSY: "The server is busy; try again after the seconds in Retry-After",
  CANCELLED: "The call was stopped: by its client, by another request, or with its job",
  TOOL_CRASHED: "The tool crashed, or returned something that is not JSON",
  JOB_LOST: "The server that ran the job is gone, and with it the outcome",
  INTERNAL: "The server failed; its log says why",
  ISSUER_UNAVAILABLE: "The token can't be checked now, because its issuer does not answer",
  SHUTTING_DOWN: "The server is shutting down; call again when it is back",
  JOBS_UNAVAILABLE: "Jobs can't be kept now",
  TEMP_FOLDER_UNUSABLE: "The temporary folder of the server is full, missing or read-only",
  STORAGE_FULL: "The disk on which jobs are kept is full",
};

/** What any request may be answered with. */
const ANY: readonly ProblemCode[] = [
  "BAD_REQUEST",
  "HOST_MISSING",
  "UNAUTHORIZED",
  "HOST_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "NOT_ALLOWED",
  "INTERNAL",
  "ISSUER_UNAVAILABLE",
];

/**
 * The responses of an operation that are problems: those of its own codes, and those that any request
 * may get. A status says which codes it has, each with an example.
 */
export function problemResponses(own: readonly ProblemCode[] = []): Record<number, object> {
  const codes = [...new Set([...ANY, ...own])];
  const statuses = new Set(codes.map((code) => STATUS[code]).sort((one, other) => one - other));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const those = codes.filter((code) => STATUS[code] === status);
      return [status, toResponse(status, those)];
    }),
  );
}

function toResponse(status: number, codes: readonly ProblemCode[]): object {
  const examples = codes.map((code) => [code, {
    summary: MEANING[code],
    value: problemBody({ status, code, detail: MEANING[code] }),
  }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${MEANING[code]}`).join(". "),
    ...(status === 429 || status === 503 ? { headers: { "Retry-After": RETRY_AFTER } } : {}),
    content: {
      "application/problem+json": {
        schema: refTo("Problem"),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

const RETRY_AFTER = {
  description: "When to try again, in seconds, if that is known",
  schema: { type: "string" },
};

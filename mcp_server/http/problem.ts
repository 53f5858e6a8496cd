import type { Refusal, RefusalCode } from "../tool/result.ts";

/** A problem of the HTTP API (RFC 9457), with a stable `code` for programs. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly issues?: Refusal["issues"];
  readonly moreIssues?: Refusal["moreIssues"];
  readonly headers?: Readonly<Record<string, string>>;
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
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

/** The status of each kind of refusal. */
export const STATUS_OF: Readonly<Record<RefusalCode, number>> = {
  UNKNOWN_TOOL: 404,
  NOT_ALLOWED: 403,
  INVALID_ARGUMENTS: 422,
  TOOL_FAILED: 422,
  BUSY: 429,
  CANCELLED: 499,
  TOOL_CRASHED: 500,
  JOB_LOST: 500,
  SHUTTING_DOWN: 503,
};

/** Failures of tools and jobs that the server's operator has to fix, not the caller. */
export const STATUS_OF_CODE = {
  TEMP_FOLDER_UNUSABLE: 507,
  STORAGE_FULL: 507,
  JOBS_UNAVAILABLE: 503,
} as const satisfies Readonly<Record<string, number>>;
const OWN_STATUS: Readonly<Record<string, number>> = STATUS_OF_CODE;

/** The problem that describes a rejected call. */
export function toProblem(refusal: Refusal): Problem {
  const { kind, code, message, issues, moreIssues, retryAfterSeconds } = refusal;
  return {
    status: OWN_STATUS[code] ?? STATUS_OF[kind],
    code,
    detail: message,
    ...(issues === undefined ? {} : { issues }),
    ...(moreIssues === undefined ? {} : { moreIssues }),
    ...(retryAfterSeconds === undefined
      ? {}
      : { headers: { "retry-after": String(retryAfterSeconds) } }),
  };
}

/** The JSON object of a problem. */
export function problemBody({ status, code, detail, issues, moreIssues }: Problem): object {
  return {
    status,
    title: TITLES[status],
    detail,
    code,
    ...(issues === undefined ? {} : { issues }),
    ...(moreIssues === undefined ? {} : { moreIssues }),
  };
}

/** Answers with a problem as `application/problem+json`. */
export function problemResponse(problem: Problem): Response {
  return new Response(JSON.stringify(problemBody(problem)), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", ...problem.headers },
  });
}

import type { Issue } from "@trestle/mcp-server";
import axios from "axios";

/** Why a request was not answered with what it asked for. */
export class Problem extends Error {
  /** Name of the error class. */
  override readonly name: string = "Problem";
  /** Status of the response; 0 if there was none. */
  readonly status: number;
  /** The server's stable name of the problem. */
  readonly code: string;
  /** What is wrong with the arguments. */
  readonly issues: readonly Issue[];

  /** Takes the problem's text for people, and what programs read. */
  constructor(
    detail: string,
    { status = 0, code = "", issues = [] }: Partial<Pick<Problem, "status" | "code" | "issues">>,
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.issues = issues;
  }

  /** Whether the server did not answer at all. */
  get isAway(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 504;
  }
}

/** Reads what an error of a request says. */
export async function toProblem(error: unknown): Promise<Problem> {
  if (error instanceof Problem) return error;
  if (!axios.isAxiosError(error)) return new Problem(String(error), { status: 500 });
  const { response } = error;
  if (response === undefined) return new Problem("The server does not answer", {});
  const body = await readBody(response.data);
  return parseProblem(body, response.status);
}

/** Reads a problem (RFC 9457) as the server sends it. */
export function parseProblem(body: unknown, status: number): Problem {
  const { detail, message, code, issues } = isRecord(body) ? body : {};
  const text = typeof detail === "string" ? detail : typeof message === "string" ? message : "";
  return new Problem(text || `The server answered with status ${status}`, {
    status,
    code: typeof code === "string" ? code : "",
    issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
  });
}

/** A body that was to be read as a stream has not been parsed yet. */
async function readBody(data: unknown): Promise<unknown> {
  if (data instanceof ArrayBuffer) return parseJson(new TextDecoder().decode(data));
  if (data instanceof Blob) return parseJson(await data.text());
  return typeof data === "string" ? parseJson(data) : data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether a value has keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isIssue(value: unknown): value is Issue {
  return isRecord(value) && Array.isArray(value.path) && typeof value.message === "string";
}

import type { JsonObject } from "../shared/json.ts";
import type { CallOutcome } from "../tool/result.ts";
import { jsonResponse, type Pace } from "../http/response_body.ts";
import { problemOf, problemResponse, toProblem } from "../http/problem.ts";

/** The problem of a tool whose output can't be sent. */
export const NOT_JSON = problemOf(
  "TOOL_CRASHED",
  "The tool returned something that is not JSON; its author has to correct it",
);

/** The output of a call, as the HTTP API sends it. */
export function outputOf(
  { result }: CallOutcome & { ok: true },
): JsonObject | { content: unknown } {
  return result.structuredContent ?? { content: result.content };
}

/** Answers with the output of a call, or with the problem that it is. */
export function outcomeResponse(outcome: CallOutcome, pace: Pace): Response {
  if (!outcome.ok) return problemResponse(toProblem(outcome.refusal));
  try {
    return jsonResponse(outputOf(outcome), pace);
  } catch {
    return problemResponse(NOT_JSON);
  }
}

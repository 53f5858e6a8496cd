import { jsonResponse, readJson } from "../http/body.ts";
import type { Handler } from "../http/http_server.ts";
import { problemOf, problemResponse } from "../http/problem.ts";
import { isJsonObject } from "../shared/json.ts";
import { type ApprovalDesk, type Decision, DECISIONS } from "../tool/approval.ts";

/** The largest body of a decision, in bytes. */
const MOST_BYTES = 4_096;

/** Answers `GET /api/approvals`. */
export function listApprovals(desk: ApprovalDesk): Handler {
  return (_request, { exchange }) => jsonResponse({ approvals: desk.list() }, exchange);
}

/**
 * Answers `POST /api/approvals/{id}` with the call that was decided about, once that is recorded; the
 * call itself goes on by itself.
 */
export function decideApproval(desk: ApprovalDesk): Handler {
  return async (request, { caller, id = "", exchange, remoteAddr }) => {
    const body = await readJson(request, { maxBytes: MOST_BYTES, exchange });
    if (!body.ok) return problemResponse(body.problem);
    const decision = parseDecision(body.value);
    if (decision === undefined) {
      const choices = DECISIONS.map((one) => `"${one}"`).join(" or ");
      const detail = `The body must be {"decision": ${choices}}`;
      return problemResponse(problemOf("BAD_REQUEST", detail));
    }
    const verdict = await desk.decide(id, decision, { caller, address: remoteAddr.hostname });
    return verdict.ok
      ? jsonResponse({ ...verdict.approval, decision }, exchange)
      : problemResponse(problemOf(verdict.code, verdict.reason));
  };
}

function parseDecision(body: unknown): Decision | undefined {
  if (!isJsonObject(body) || Object.keys(body).length !== 1) return undefined;
  return DECISIONS.find((one) => one === body.decision);
}

import { jsonResponse, readJson } from "../http/body.ts";
import type { Handler } from "../http/http_server.ts";
import { problemOf, problemResponse } from "../http/problem.ts";
import { isJsonObject } from "../shared/json.ts";
import { type ApprovalDesk, type Decision, DECISIONS } from "../tool/approval.ts";
import type { FleetDesk } from "../tool/fleet_desk.ts";
import { serverOf, unreachableProblem } from "./fleet_resource.ts";

/** The largest body of a decision, in bytes. */
const MOST_BYTES = 4_096;

/** Answers `GET /api/approvals`: with those of this server, or of the ones that it names. */
export function listApprovals(desk: ApprovalDesk, fleet: FleetDesk): Handler {
  return async (request, { caller, exchange }) => {
    const server = serverOf(request);
    const list = server === undefined
      ? { approvals: desk.list() }
      : await fleet.approvals(caller, server);
    return jsonResponse(list, exchange);
  };
}

/**
 * Answers `POST /api/approvals/{id}` with the call that was decided about, once that is recorded; the
 * call itself goes on by itself.
 */
export function decideApproval(fleet: FleetDesk): Handler {
  return async (request, { caller, id = "", exchange, remoteAddr }) => {
    const body = await readJson(request, { maxBytes: MOST_BYTES, exchange });
    if (!body.ok) return problemResponse(body.problem);
    const decision = parseDecision(body.value);
    if (decision === undefined) {
      const choices = DECISIONS.map((one) => `"${one}"`).join(" or ");
      const detail = `The body must be {"decision": ${choices}}`;
      return problemResponse(problemOf("BAD_REQUEST", detail));
    }
    const verdict = await fleet.decide(id, decision, { caller, address: remoteAddr.hostname });
    if (verdict.ok) return jsonResponse({ ...verdict.approval, decision }, exchange);
    const { code, reason, unreachable } = verdict;
    if (code === "NOT_ALLOWED" || unreachable.length === 0) {
      return problemResponse(problemOf(code, reason));
    }
    return problemResponse(unreachableProblem(reason, unreachable));
  };
}

function parseDecision(body: unknown): Decision | undefined {
  if (!isJsonObject(body) || Object.keys(body).length !== 1) return undefined;
  return DECISIONS.find((one) => one === body.decision);
}

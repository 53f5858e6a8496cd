import { jsonResponse, readJson } from "../http/body.ts";
import type { Handler } from "../http/http_server.ts";
import { type Problem, problemOf, problemResponse } from "../http/problem.ts";
import { quote } from "../shared/error.ts";
import { isJsonObject } from "../shared/json.ts";
import {
  type ApprovalDesk,
  type Decision,
  DECISIONS,
  type FleetDesk,
  type LiveCalls,
} from "../tool/fleet_desk.ts";

/**
 * The servers that a request is about: the name in `?server=`, or `*` for all that share the jobs;
 * `undefined` stands for the one that it has reached.
 */
export function serverOf({ url }: Pick<Request, "url">): string | undefined {
  const at = url.indexOf("?");
  return at === -1 ? undefined : new URLSearchParams(url.slice(at)).get("server") ?? undefined;
}

/** Answers `GET /api/calls`: with those of this server, or of the ones that it names. */
export function listCalls(calls: LiveCalls, fleet: FleetDesk): Handler {
  return async (request, { caller, exchange }) => {
    const server = serverOf(request);
    const list = server === undefined ? calls.list(caller) : await fleet.calls(caller, server);
    return jsonResponse(list, exchange);
  };
}

/**
 * Answers `DELETE /api/calls/{id}`, on whichever server the call runs, once it has ended, or with 202
 * if it takes longer. It needs the scope of the call's tool, as its start does.
 */
export function stopCall(fleet: FleetDesk): Handler {
  return async (_request, { caller, id = "", exchange, remoteAddr, rejectWithout }) => {
    const stop = await fleet.stop(id, { caller, address: remoteAddr.hostname });
    if (stop.kind === "stopped") {
      return jsonResponse(stop.call, exchange, { status: stop.call.stopping ? 202 : 200 });
    }
    const rejection = stop.kind === "needsScope" ? rejectWithout([stop.scope]) : undefined;
    if (rejection !== undefined) return rejection;
    const unreachable = stop.kind === "unknown" ? stop.unreachable : [];
    const detail = `Cannot find the call ${quote(id, 64)}: it is unknown, has ended, or is ` +
      "another caller's; list the calls to see their ids";
    if (unreachable.length > 0) return problemResponse(unreachableProblem(detail, unreachable));
    return problemResponse(problemOf("CALL_NOT_FOUND", detail));
  };
}

/** Answers `GET /api/health`: how this server is, or the ones that it names. */
export function describeHealth(fleet: FleetDesk): Handler {
  return async (request, { exchange }) =>
    jsonResponse(await fleet.health(serverOf(request)), exchange);
}

/** Answers `GET /api/figures`: what this server did, or the ones that it names, added up. */
export function describeFigures(fleet: FleetDesk): Handler {
  return async (request, { exchange }) => {
    const server = serverOf(request);
    const figures = server === undefined ? fleet.ownFigures() : await fleet.figures(server);
    return jsonResponse(figures, exchange);
  };
}

/** The problem of what was found nowhere, while some servers did not answer. */
export function unreachableProblem(detail: string, servers: readonly string[]): Problem {
  const names = servers.join(", ");
  return problemOf("SERVER_UNREACHABLE", `${detail}; it may be on ${names}, which did not answer`, {
    "retry-after": "1",
  });
}

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

import { jsonResponse } from "../http/body.ts";
import type { Handler } from "../http/http_server.ts";
import { type Problem, problemOf, problemResponse } from "../http/problem.ts";
import { quote } from "../shared/error.ts";
import type { FleetDesk } from "../tool/fleet_desk.ts";
import type { LiveCalls } from "../tool/live_calls.ts";

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

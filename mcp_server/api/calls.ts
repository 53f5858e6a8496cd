import { type Scope, scopeOf } from "../access/scope.ts";
import type { Handler, Route } from "../http/http_server.ts";
import { jsonResponse } from "../http/response_body.ts";
import { problemOf, problemResponse } from "../http/problem.ts";
import { quote } from "../shared/error.ts";
import type { LiveCalls } from "../tool/live_calls.ts";
import type { ToolService } from "../tool/service.ts";

/** Answers `GET /api/calls`: the running calls that the caller sees. */
export function listCalls(calls: LiveCalls): Handler {
  return (_request, { caller, exchange }) => jsonResponse(calls.list(caller), exchange);
}

/** The scope that stops a call: that of its tool, as for its start. */
export function scopeOfCall(
  calls: LiveCalls,
  service: Pick<ToolService, "find">,
): Exclude<Route["scope"], Scope | undefined> {
  return ({ caller, id = "" }) => {
    const found = calls.find(id, caller);
    return found === undefined ? [] : [scopeOf(service.find(found.tool, caller) ?? {})];
  };
}

/** Answers `DELETE /api/calls/{id}` once the call has ended, or with 202 if it takes longer. */
export function stopCall(calls: LiveCalls): Handler {
  return async (_request, { caller, id = "", exchange, remoteAddr }) => {
    const stopped = await calls.stop(id, { caller, address: remoteAddr.hostname });
    if (stopped !== undefined) {
      return jsonResponse(stopped, exchange, { status: stopped.stopping ? 202 : 200 });
    }
    const detail = `Cannot find the call ${quote(id, 64)}: it is unknown, has ended, or is ` +
      "another caller's; list the calls to see their ids";
    return problemResponse(problemOf("CALL_NOT_FOUND", detail));
  };
}

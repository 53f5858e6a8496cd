import { quote } from "../shared/error.ts";
import type { LiveCalls, ToolService } from "../tool/service.ts";
import { type Scope, scopeOf } from "../access/scope.ts";
import type { Handler, Route } from "../http/http_server.ts";
import { jsonResponse } from "../http/paced_body.ts";
import { problemResponse } from "../http/problem.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";

/** What the paths of running calls need. */
export interface CallRouteParts {
  readonly calls: LiveCalls;
  readonly service: Pick<ToolService, "find">;
  readonly guard: ScopeGuard;
}

/** Every path below `/api/calls`. */
export function createCallRoutes(parts: CallRouteParts): [path: string, route: Route][] {
  return [
    ["/api/calls", { methods: { GET: createCallList(parts) } }],
    ["/api/calls/{id}", { methods: { DELETE: createCallStop(parts) } }],
  ];
}

/** Answers `GET /api/calls`: the running calls that the caller sees; any scope of tools is enough. */
function createCallList({ calls, guard }: CallRouteParts): Handler {
  return (_request, sender) =>
    guard(sender, ["tools:read"]) ?? jsonResponse(calls.list(sender.caller), sender.exchange);
}

/**
 * Answers `DELETE /api/calls/{id}` once the call has ended, or with 202 if it takes longer. The scope
 * of its tool is needed, as for its start.
 */
function createCallStop({ calls, service, guard }: CallRouteParts): Handler {
  return async (_request, sender) => {
    const { caller, id = "", exchange, remoteAddr } = sender;
    const found = calls.find(id, caller);
    const needed: readonly Scope[] = found === undefined
      ? []
      : [scopeOf(service.find(found.tool, caller) ?? {})];
    const rejection = guard(sender, needed);
    if (rejection !== undefined) return rejection;
    const stopped = await calls.stop(id, { caller, address: remoteAddr.hostname });
    if (stopped === undefined) return unknownCall(id);
    return jsonResponse(stopped, exchange, { status: stopped.stopping ? 202 : 200 });
  };
}

function unknownCall(id: string): Response {
  const detail = `Cannot find the call ${quote(id, 64)}: it is unknown, has ended, or is another ` +
    "caller's; list the calls to see their ids";
  return problemResponse({ status: 404, code: "CALL_NOT_FOUND", detail });
}

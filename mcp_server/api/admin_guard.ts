import { isAdmin } from "../access/caller.ts";
import type { Sender } from "../http/http_server.ts";
import { problemResponse } from "../http/problem.ts";
import type { ScopeGuard } from "../http/scope_guard.ts";

/**
 * The answer to a caller that is no admin, or `undefined` for one that is: a better token is offered
 * only if the callers file would allow it.
 */
export function rejectOthers(
  sender: Pick<Sender, "caller" | "remoteAddr">,
  action: string,
  guard: ScopeGuard,
): Response | undefined {
  const { caller } = sender;
  if (isAdmin(caller)) return undefined;
  const rejection = caller.rights?.admin === false ? undefined : guard(sender, ["admin"]);
  if (rejection !== undefined) return rejection;
  const detail = `The caller "${caller.name}" can't ${action}: its rights need "admin": true`;
  return problemResponse({ status: 403, code: "NOT_ALLOWED", detail });
}

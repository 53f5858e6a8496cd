import { type Caller, isAdmin } from "../domain/caller.ts";
import { problemResponse } from "./problem.ts";
import type { ScopeGuard } from "./scopes/scope_guard.ts";

/**
 * The answer to a caller that is no admin, or `undefined` for one that is: a better token is offered
 * only if the callers file would allow it.
 */
export function rejectOthers(
  caller: Caller,
  action: string,
  guard: ScopeGuard,
): Response | undefined {
  if (isAdmin(caller)) return undefined;
  const rejection = caller.rights?.admin === false ? undefined : guard(caller, ["admin"]);
  if (rejection !== undefined) return rejection;
  const detail = `The caller "${caller.name}" can't ${action}: its rights need "admin": true`;
  return problemResponse({ status: 403, code: "NOT_ALLOWED", detail });
}

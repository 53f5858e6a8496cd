import { missingScopes, type Scope } from "../access/scope.ts";
import { toHeaderValue } from "../access/identify.ts";
import type { Gate, Sender } from "./http_server.ts";
import { problemResponse } from "./problem.ts";

/**
 * The answer to a request for which the token of its caller has too few scopes, or `undefined` if it
 * has all that are needed: 403 with all of them, so that a client can get a better token at once (RFC
 * 6750, section 3.1; MCP specification, "Scope Challenge Handling").
 */
export type ScopeGuard = (
  sender: Pick<Sender, "caller" | "remoteAddr">,
  needed: readonly Scope[],
) => Response | undefined;

const CODE = "INSUFFICIENT_SCOPE";

/** Creates the check of scopes; without OAuth, no caller has any and all pass. */
export function createScopeGuard(
  metadataUrl: string | undefined,
  onRefused: Gate["onRefused"],
): ScopeGuard {
  if (metadataUrl === undefined) return () => undefined;
  return ({ caller, remoteAddr }, needed) => {
    const missing = missingScopes(caller.scopes, needed);
    if (missing.length === 0) return undefined;
    onRefused(CODE, remoteAddr.hostname, caller);
    const description = `The token does not have the scope ${missing.join(" and ")}`;
    const challenge = { error: "insufficient_scope", description, scopes: missing, metadataUrl };
    return problemResponse({
      status: 403,
      code: CODE,
      detail: description,
      headers: { "www-authenticate": toHeaderValue({ ...challenge, error: "insufficient_scope" }) },
    });
  };
}

import {
  checkHost,
  checkOrigin,
  type HostRule,
  type OriginRule,
} from "../security/host_and_origin.ts";
import type { TokenVerdict } from "../security/token.ts";
import type { RequestContext } from "./http_listener.ts";
import type { Problem } from "./problem.ts";

/** Who may send requests. */
export interface Gate {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  readonly checkToken: (authorization: string | null) => TokenVerdict;
}

/** Rejects a request by its Host and Origin, before its body is read. */
export function checkAddress(
  request: Request,
  context: Pick<RequestContext, "overHttp2">,
  gate: Gate,
): Problem | undefined {
  const host = hostOf(request, context);
  if (host === null) {
    const detail = "Send one Host header; HTTP/2, which has none, is served over TLS only";
    return { status: 400, code: "HOST_MISSING", detail };
  }
  const named = checkHost(host, gate.hosts);
  const verdict = named.ok ? checkOrigin(request.headers.get("origin"), host, gate.origins) : named;
  if (verdict.ok) return undefined;
  return { status: verdict.status, code: verdict.code, detail: verdict.reason };
}

/**
 * HTTP/2 has no Host header; its `:authority` is in the URL (RFC 9113, section 8.3.1). For an HTTP/1.1
 * request without Host, Deno makes up a URL of the server's own name (RFC 9112, section 3.2).
 */
function hostOf(
  request: Request,
  { overHttp2 }: Pick<RequestContext, "overHttp2">,
): string | null {
  const host = request.headers.get("host");
  return host === null && overHttp2 ? new URL(request.url).host : host;
}

/** Identifies the caller, or rejects a request without a known token (RFC 6750, section 3). */
export function checkCaller(
  request: Request,
  gate: Gate,
): { readonly caller?: string; readonly problem?: Problem } {
  const verdict = gate.checkToken(request.headers.get("authorization"));
  if (verdict.ok) return verdict.caller === undefined ? {} : { caller: verdict.caller };
  const { status, code, reason } = verdict;
  return {
    problem: { status, code, detail: reason, headers: { "www-authenticate": "Bearer" } },
  };
}

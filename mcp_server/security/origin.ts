import { PASS, type Verdict } from "./verdict.ts";

/** Which web pages may call. */
export interface OriginRule {
  /** `http` or `https`, as this server is reached. */
  readonly scheme: "http" | "https";
  /** Origins of other servers whose pages may call; lower case. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * Rejects web pages whose origin is not listed. Clients that send no origin are not browsers and
 * pass, and so does a page of this server itself; `host` has been checked before.
 */
export function checkOrigin(
  origin: string | null,
  host: string | null,
  { scheme, allowed }: OriginRule,
): Verdict {
  if (origin === null) return PASS;
  const page = origin.toLowerCase();
  const own = host === null ? undefined : `${scheme}://${host.toLowerCase()}`;
  if (allowed.has(page) || page === own) return PASS;
  return {
    ok: false,
    status: 403,
    code: "ORIGIN_NOT_ALLOWED",
    reason: `Origin "${origin}" is not allowed; the operator adds origins with MCP_ALLOWED_ORIGINS`,
  };
}

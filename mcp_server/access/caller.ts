import { matchesWildcard } from "../shared/wildcard.ts";

/** What a caller may do; what is not named is not allowed. */
export interface Rights {
  /** Names or patterns of tools; `*` in a pattern is any text. */
  readonly tools: readonly string[];
  /** Names or patterns of hosts that `ssh-exec` may reach, as in `MCP_SSH_ALLOWED_HOSTS`. */
  readonly hosts: readonly string[];
  /** Names or patterns of databases, read-only or not; the exact name counts before a pattern. */
  readonly databases: Readonly<Record<string, "ro" | "rw">>;
  /** Patterns of real paths: `**` crosses folders, `*` does not. */
  readonly paths: readonly string[];
  /** Names or patterns of tools whose calls need approval. @default {those of the server alone} */
  readonly ask?: readonly string[];
  /** Who approves: the user of the caller's own client, too, or only an admin. @default {"client"} */
  readonly askBy?: "client" | "admin";
  /** Names or patterns of secrets of `MCP_SECRETS_FILE`. @default {none; all of them for an admin} */
  readonly secrets?: readonly string[];
  /** Concurrent calls. @default {those of the server} */
  readonly maxCalls?: number;
  /** Live jobs; 0 allows none. @default {those of the server} */
  readonly maxJobs?: number;
  /** Longest time-out of a call or a job, in milliseconds. @default {those of the server} */
  readonly maxTimeoutMs?: number;
  /**
   * Uses only what changes nothing: tools that say so, and databases only to read.
   * @default {false}
   */
  readonly readOnly?: boolean;
  /** Reaches the calls and the jobs of all callers. */
  readonly admin: boolean;
  /** The user as whom commands run. @default {the server's setting} */
  readonly runAs?: string;
}

/** Who calls. */
export interface Caller {
  /** Unique; lines of the audit, jobs, tasks and idempotency keys belong to it. */
  readonly name: string;
  /** What it may do. @default {everything} */
  readonly rights?: Rights;
  /** The scopes of its OAuth token; absent for callers without one. */
  readonly scopes?: readonly string[];
}

/** The caller of `MCP_TOKEN`, of a server without tokens, and over stdio. */
export const DEFAULT_CALLER: Caller = Object.freeze({ name: "default" });

/** A caller that may do nothing, for requests to paths that need no token. */
export const NOBODY: Caller = Object.freeze({
  name: "nobody",
  rights: Object.freeze({ tools: [], hosts: [], databases: {}, paths: [], admin: false }),
});

/** The pattern of all paths. */
export const ALL_PATHS = "/**";

/** All of them, as patterns of rights. */
const EVERYTHING: Rights = {
  tools: ["*"],
  hosts: ["*"],
  databases: { "*": "rw" },
  paths: [ALL_PATHS],
  admin: true,
};

/** Rights that allow everything but what is narrowed. */
export function narrowed(rights: Partial<Rights>): Rights {
  return Object.freeze({ ...EVERYTHING, ...rights });
}

/** The form of a name or a pattern of tools. */
export const TOOL_PATTERN = /^[A-Za-z0-9_.*?-]{1,64}$/;
/** The form of a name or a pattern of hosts. */
export const HOST_PATTERN = /^[^\s,]{1,300}$/;
/** What a pattern of paths must be. */
export const PATH_PATTERN_RULE =
  'must be an absolute path without ".", ".." and empty parts; "**" crosses folders';

/** Whether a text is a pattern of paths. */
export function isPathPattern(path: string): boolean {
  if (path === "/") return true;
  return path.startsWith("/") &&
    path.slice(1).split("/").every((part) => !["", ".", ".."].includes(part));
}

/** Whether there are paths that a caller may not use. */
export function isBounded({ rights }: Caller): boolean {
  return rights !== undefined && !rights.paths.includes(ALL_PATHS);
}

/** Whether a caller may use the tool of a name, whether there is one or not. */
export function mayUse({ rights }: Caller, tool: string): boolean {
  return rights === undefined || rights.tools.some((pattern) => matchesWildcard(tool, pattern));
}

/**
 * Whether a caller may administer the server, and reach the jobs of others: by its rights, by the
 * scope `admin` of its token, which it needs if it has scopes, or as the default caller.
 */
export function isAdmin({ name, rights, scopes }: Caller): boolean {
  if (scopes?.includes("admin") === false) return false;
  return rights?.admin ?? (scopes !== undefined || name === DEFAULT_CALLER.name);
}

/** The scopes of OAuth tokens; each includes those before it. */
export const SCOPES = ["tools:read", "tools:write", "tools:exec", "admin"] as const;

/** What an OAuth token may be used for. */
export type Scope = typeof SCOPES[number];

/** The scope that a tool needs, by what its annotations say that it does. */
export function scopeOf({ annotations = {} }: {
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}): Scope {
  if (annotations.readOnlyHint === true) return "tools:read";
  return annotations.openWorldHint === false ? "tools:write" : "tools:exec";
}

/** Whether scopes include a scope; a caller that has no token of OAuth, and so none, needs none. */
export function includesScope(scopes: readonly string[] | undefined, needed: Scope): boolean {
  if (scopes === undefined) return true;
  return SCOPES.slice(SCOPES.indexOf(needed)).some((scope) => scopes.includes(scope));
}

/** The scopes among those needed that are not included, each once, in the order of their power. */
export function missingScopes(
  scopes: readonly string[] | undefined,
  needed: readonly Scope[],
): readonly Scope[] {
  if (scopes === undefined) return [];
  return SCOPES.filter((scope) => needed.includes(scope) && !includesScope(scopes, scope));
}

/** The result of a check of a request; a rejection has a code, and a reason for people. */
type Verdict =
  | { readonly ok: true }
  | {
    readonly ok: false;
    readonly code: "HOST_NOT_ALLOWED" | "ORIGIN_NOT_ALLOWED";
    readonly reason: string;
  };

/** The one verdict of every request that passes. */
const PASS: Verdict = Object.freeze({ ok: true });

/** Which names a client may use for this server. */
export interface HostRule {
  /** Host names or addresses, each with or without a port; lower case. */
  readonly names: ReadonlySet<string>;
  /** Lets IP addresses pass: a rebound DNS name is always a name. */
  readonly addresses: boolean;
}

/** A host name or address as in a Host header, with or without a port. */
export const HOST_FORM = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?$/i;

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?$/;
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/** Names of the machine itself, which every server accepts. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Creates the rule for a server that listens on `bind`, with the operator's additional names. */
export function createHostRule(bind: string, allowed: readonly string[]): HostRule {
  const wildcard = bind === "0.0.0.0" || bind === "::";
  const bound = wildcard ? [] : [bind.includes(":") ? `[${bind}]` : bind];
  const names = [...LOOPBACK_HOSTS, ...bound, ...allowed].map((name) => name.toLowerCase());
  return { names: new Set(names), addresses: wildcard };
}

/** Rejects requests for a name that is not this server's: a web page may have rebound it in DNS. */
export function checkHost(host: string | null, rule: HostRule): Verdict {
  const match = HOST.exec(host?.toLowerCase() ?? "");
  const name = match?.[1];
  if (match !== null && name !== undefined) {
    if (rule.names.has(name) || rule.names.has(match[0])) return PASS;
    if (rule.addresses && (name.startsWith("[") || IPV4.test(name))) return PASS;
  }
  return {
    ok: false,
    code: "HOST_NOT_ALLOWED",
    reason: `Host "${host ?? ""}" is not allowed; the operator adds names with MCP_ALLOWED_HOSTS`,
  };
}

/** Whether an address reaches only this machine (RFC 1122, section 3.2.1.3; RFC 4291, 2.5.3). */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (IPV4.test(host) && host.startsWith("127."));
}

/** Which web pages may call. */
export interface OriginRule {
  /**
   * `https` if this server itself answers with TLS, so that no page of its own is `http`. Behind
   * `http` there may be a proxy with TLS: its own pages are then of either scheme.
   */
  readonly scheme: "http" | "https";
  /** Origins of other servers whose pages may call; lower case. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * Rejects web pages whose origin is not listed. Clients that send no origin are not browsers and
 * pass, and so does a page of this server itself: its host and port are those of `host`, which has
 * been checked before.
 */
export function checkOrigin(
  origin: string | null,
  host: string | null,
  { scheme, allowed }: OriginRule,
): Verdict {
  if (origin === null) return PASS;
  const page = origin.toLowerCase();
  if (allowed.has(page) || (host !== null && isOwn(page, host.toLowerCase(), scheme))) return PASS;
  return {
    ok: false,
    code: "ORIGIN_NOT_ALLOWED",
    reason: `Origin "${origin}" is not allowed; the operator adds origins with MCP_ALLOWED_ORIGINS`,
  };
}

/** The port that an origin leaves out (RFC 6454, section 6.2); a proxy may name it in Host. */
const DEFAULT_PORT = { http: /:80$/, https: /:443$/ } as const;

/** Whether a page is of the host and port of its request. */
function isOwn(page: string, host: string, scheme: OriginRule["scheme"]): boolean {
  const schemes = scheme === "https" ? ["https"] as const : ["http", "https"] as const;
  return schemes.some((one) => page === `${one}://${host.replace(DEFAULT_PORT[one], "")}`);
}

/** Who sent a request, or why the request is rejected. */
export type Identification =
  | ({ readonly ok: true } & Holder)
  | {
    readonly ok: false;
    readonly code: "BAD_REQUEST" | "UNAUTHORIZED" | "NOT_ALLOWED" | "ISSUER_UNAVAILABLE";
    readonly reason: string;
    /** The `WWW-Authenticate` header. @default {"Bearer" with `UNAUTHORIZED`, else none} */
    readonly challenge?: string;
    /** When to try again, if the caller can't be identified now. */
    readonly retryAfterSeconds?: number;
  };

/** Identifies the caller by the `Authorization` header of a request. */
export type Identify = (
  authorization: string | null,
) => Identification | Promise<Identification>;

/** Takes every request for one of this caller. */
export function identifyAs(caller: Caller): Identify {
  return () => ({ ok: true, caller });
}

/** A text that can be sent as a bearer token (RFC 6750, section 2.1, `b64token`). */
export const TOKEN_FORM = /^[A-Za-z0-9._~+/-]+=*$/;

/** Who may call besides the holders of `MCP_TOKEN`. */
export interface TokenHolders {
  /** The caller whose token has this SHA-256; takes constant time. */
  findByDigest(digest: Uint8Array): Holder | undefined;
}

/** A caller, and what reports that it loses its rights. */
export interface Holder {
  /** Its name and its rights. */
  readonly caller: Caller;
  /** Aborts once its rights have changed or it has none. */
  readonly revoked?: AbortSignal;
}

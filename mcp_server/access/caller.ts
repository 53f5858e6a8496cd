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

/** All of them, as patterns of rights. */
const EVERYTHING: Rights = {
  tools: ["*"],
  hosts: ["*"],
  databases: { "*": "rw" },
  paths: ["/**"],
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

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

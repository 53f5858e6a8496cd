import { type Caller, missingScopes, type Scope, scopeOf } from "../access/caller.ts";
import { toHeaderValue } from "../access/oauth_settings.ts";
import { JobError } from "../tool/job.ts";
import type { JobHost, ToolService } from "../tool/service.ts";
import { type Problem, problemOf } from "./problem.ts";

/** The problem of a caller whose token has too few scopes, or `undefined` if it has all of these. */
export type ScopeCheck = (caller: Caller, needed: readonly Scope[]) => Problem | undefined;

/**
 * Creates the check of scopes. Its problem, 403, names all that are missing, so that a client can get a
 * better token at once (RFC 6750, section 3.1; MCP specification, "Scope Challenge Handling"). Without
 * OAuth there is no metadata, no caller has scopes, and all pass.
 */
export function createScopeCheck(metadataUrl: string | undefined): ScopeCheck {
  if (metadataUrl === undefined) return () => undefined;
  return ({ scopes }, needed) => {
    const missing = missingScopes(scopes, needed);
    if (missing.length === 0) return undefined;
    const description = `The token does not have the scope ${missing.join(" and ")}`;
    return problemOf("INSUFFICIENT_SCOPE", description, {
      "www-authenticate": toHeaderValue({
        error: "insufficient_scope",
        description,
        scopes: missing,
        metadataUrl,
      }),
    });
  };
}

/** The jobs, and the tools that they run. */
export interface JobScopeParts {
  readonly jobs: JobHost;
  readonly service: ToolService;
}

/**
 * The scope that a change of a job needs, such as its end or its input: that of its tool, as for its
 * start. No scope if the caller has no such job, which is for the answer to say.
 */
export async function scopeOfJob(
  id: string,
  caller: Caller,
  { jobs, service }: JobScopeParts,
): Promise<readonly Scope[]> {
  try {
    const { tool } = await jobs.forCaller(caller).get(id);
    return [scopeOf(await service.find(tool, caller) ?? {})];
  } catch (error) {
    if (error instanceof JobError) return [];
    throw error;
  }
}

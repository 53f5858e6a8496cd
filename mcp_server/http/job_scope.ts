import type { Caller } from "../access/caller.ts";
import { JobError } from "../tool/job.ts";
import type { JobHost, ToolService } from "../tool/service.ts";
import { type Scope, scopeOf } from "../access/scope.ts";

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
    return [scopeOf(service.find(tool, caller) ?? {})];
  } catch (error) {
    if (error instanceof JobError) return [];
    throw error;
  }
}

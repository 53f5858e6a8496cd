import type { Caller } from "../access/caller.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import { type Scope, scopeOf } from "../access/scope.ts";
import { type JobScopeParts, scopeOfJob } from "../http/scopes.ts";

/** The methods that change a task. */
const TASK_CHANGES: ReadonlySet<unknown> = new Set(["tasks/cancel", "tasks/update"]);
/** The SDK rejects a batch with more messages. */
const MOST_MESSAGES = 100;

/**
 * The scopes that an MCP request needs: those of the tools that it calls, and of the tasks that it
 * reaches. Whatever else there is, such as the list of tools, needs only a token. A tool that the
 * caller may not use at all needs none: its call is answered, and refused, as a call.
 */
export async function scopesOfRequest(
  body: unknown,
  caller: Caller,
  parts: JobScopeParts,
): Promise<readonly Scope[]> {
  const messages = Array.isArray(body) ? body.slice(0, MOST_MESSAGES) : [body];
  const needed = await Promise.all(
    messages.filter(isJsonObject).map((message) => scopesOfMessage(message, caller, parts)),
  );
  return needed.flat();
}

async function scopesOfMessage(
  { method, params }: JsonObject,
  caller: Caller,
  parts: JobScopeParts,
): Promise<readonly Scope[]> {
  const { name, taskId } = isJsonObject(params) ? params : {};
  if (method === "tools/call") {
    const tool = parts.service.find(String(name), caller);
    return tool === undefined ? [] : [scopeOf(tool)];
  }
  if (TASK_CHANGES.has(method)) return await scopeOfJob(String(taskId), caller, parts);
  return typeof method === "string" && method.startsWith("tasks/") ? ["tools:read"] : [];
}

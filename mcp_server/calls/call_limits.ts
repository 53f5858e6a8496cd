import type { Caller, Rights } from "../access/caller.ts";
import { isJsonObject, type JsonObject } from "../shared/json.ts";
import type { Limits } from "../shared/limits.ts";
import type { RegisteredTool, Validation } from "../tool/tool.ts";

/** The argument by which tools take the time-out of their commands, in milliseconds. */
export const TIMEOUT = "timeoutMs";

/** The limits of each caller whose rights bound time-outs. */
const known = new WeakMap<Limits, WeakMap<Rights, Limits>>();

/** The limits of a caller's calls: its time-outs are at most as long as its rights allow. */
export function limitsOf(limits: Limits, { rights }: Caller): Limits {
  const most = rights?.maxTimeoutMs;
  if (rights === undefined || most === undefined) return limits;
  const byRights = known.get(limits) ?? new WeakMap<Rights, Limits>();
  known.set(limits, byRights);
  const own = byRights.get(rights) ?? {
    ...limits,
    timeoutMs: Math.min(limits.timeoutMs, most),
    maxTimeoutMs: Math.min(limits.maxTimeoutMs, most),
  };
  byRights.set(rights, own);
  return own;
}

/** The limits of a job: its commands may run longer than those of calls. */
export function toJobLimits(limits: Limits): Limits {
  return { ...limits, timeoutMs: limits.maxTimeoutMs, maxTimeoutMs: limits.maxJobTimeoutMs };
}

/**
 * Checks the arguments of a job. A time-out may be longer than the tool's schema allows; a job that
 * names none has the default of jobs, and not that of the schema.
 */
export async function validateForJob(
  tool: RegisteredTool,
  input: unknown,
  limits: Limits,
): Promise<Validation> {
  const schema = timeoutSchemaOf(tool);
  if (schema === undefined || !isJsonObject(input)) return await tool.validate(input);
  const wish = input[TIMEOUT];
  const most = mostOf(schema);
  const isLonger = typeof wish === "number" && Number.isInteger(wish) && wish > most;
  const args = await tool.validate(isLonger ? { ...input, [TIMEOUT]: most } : input);
  if (!args.ok || !isJsonObject(args.value)) return args;
  const given = typeof wish === "number" ? wish : limits.timeoutMs;
  return { ok: true, value: { ...args.value, [TIMEOUT]: given } };
}

function timeoutSchemaOf({ definition }: RegisteredTool): JsonObject | undefined {
  const { properties } = definition.inputSchema;
  const schema = isJsonObject(properties) ? properties[TIMEOUT] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

function mostOf({ maximum, exclusiveMaximum }: JsonObject): number {
  const bounds = [maximum, typeof exclusiveMaximum === "number" ? exclusiveMaximum - 1 : undefined];
  return Math.min(Infinity, ...bounds.filter((bound) => typeof bound === "number"));
}

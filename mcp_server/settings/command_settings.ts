import { basename } from "node:path";
import {
  type CommandLimits,
  type ContainmentMode,
  defaultLimits,
  LIMIT_SETTINGS,
  type Limits,
  SSH_PARALLEL,
} from "../shared/limits.ts";
import { ConfigError, type Env, parseChoice, parseInteger } from "./setting_value.ts";

const JS_RUNTIMES = /^(node(js)?|deno|bun)$/;
const CONTAINMENT_MODES: readonly ContainmentMode[] = ["off", "auto", "required"];
const MOST_BYTES = 2 ** 50;

/** Reads the limits of calls; some defaults depend on the number of cores. */
export function parseLimits(env: Env, cores: number): Limits {
  const fallbacks = defaultLimits(cores);
  const limits = { ...fallbacks };
  for (const { key, env: name, min, max } of LIMIT_SETTINGS) {
    limits[key] = parseInteger(name, env, { fallback: fallbacks[key], min, max });
  }
  return Object.freeze(limits);
}

/** Reads whether commands run in control groups, and what one of them may use. */
export function parseContainment(
  env: Env,
): { readonly mode: ContainmentMode; readonly limits: CommandLimits } {
  const mode = parseChoice("MCP_CONTAINMENT", env, {
    fallback: "auto",
    choices: CONTAINMENT_MODES,
  });
  const limits = parseCommandLimits(env);
  const [limit] = ["MCP_COMMAND_MEMORY_BYTES", "MCP_COMMAND_PIDS", "MCP_COMMAND_CPU"]
    .filter((name) => env[name]);
  if (mode === "off" && limit !== undefined) {
    throw new ConfigError(
      `Cannot use ${limit} with MCP_CONTAINMENT "off": it needs control groups`,
    );
  }
  return { mode, limits };
}

function parseCommandLimits(env: Env): CommandLimits {
  const { MCP_COMMAND_MEMORY_BYTES: memory, MCP_COMMAND_PIDS: pids, MCP_COMMAND_CPU: cpu } = env;
  const whole = (name: string, min: number, max: number) =>
    parseInteger(name, env, { fallback: min, min, max });
  return {
    ...(memory ? { memoryBytes: whole("MCP_COMMAND_MEMORY_BYTES", 2 ** 20, MOST_BYTES) } : {}),
    ...(pids ? { pids: whole("MCP_COMMAND_PIDS", 1, 2 ** 22) } : {}),
    ...(cpu ? { cpu: parseCpu(cpu) } : {}),
  };
}

function parseCpu(text: string): number {
  const cpu = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && cpu >= 0.01 && cpu <= 4_096) return cpu;
  throw new ConfigError(`Cannot use MCP_COMMAND_CPU "${text}": it must be 0.01 to 4096 processors`);
}

/** Checks what the tools read from the environment later, so that a bad value fails at the start. */
export function checkToolSettings(env: Env): void {
  parseInteger(SSH_PARALLEL.env, env, SSH_PARALLEL);
  parseChoice("MCP_SSH_HOST_KEYS", env, { fallback: "strict", choices: ["strict", "accept-new"] });
  const runtime = env.MCP_JS_RUNTIME || "node";
  if (JS_RUNTIMES.test(basename(runtime))) return;
  throw new ConfigError(`Cannot use MCP_JS_RUNTIME "${runtime}": it must be node, deno or bun`);
}

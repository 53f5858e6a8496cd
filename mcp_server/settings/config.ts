import type { Rights } from "../access/caller.ts";
import type { OAuthSettings } from "../access/oauth_settings.ts";
import type { CommandLimits, ContainmentMode, Limits } from "../shared/limits.ts";
import type { LogLevel } from "../shared/log.ts";

export type { OAuthSettings } from "../access/oauth_settings.ts";

/** The operator's settings, validated. */
export interface Config {
  /** What the program is to do. */
  readonly action: "serve" | "check" | "help" | "version" | "new-token";
  /** The name of the caller for whom `new-token` creates a token. */
  readonly newTokenFor?: string;
  /** Serves MCP over stdio instead of HTTP. */
  readonly stdio: boolean;
  /** Address to listen on. */
  readonly host: string;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
  /**
   * The tokens of the caller `default`. Without them, a callers file and OAuth, which only loopback
   * allows, no token is required.
   */
  readonly tokens: readonly string[];
  /** The file with the other callers, their tokens and their rights. */
  readonly callersFile?: string;
  /** The caller of the file that is served over stdio. @default {the caller `default`} */
  readonly caller?: string;
  /** The rights of the caller `default`, as far as they are narrowed. */
  readonly ownRights?: Partial<Rights>;
  /** The file with the secrets that calls may name. */
  readonly secretsFile?: string;
  /** Whose OAuth tokens are accepted too, and as which resource. */
  readonly oauth?: OAuthSettings;
  /** Names or patterns of the tools whose calls need approval, whoever calls. */
  readonly ask: readonly string[];
  /** Further folders of tool modules, in order. */
  readonly toolFolders: readonly string[];
  /** Further host names by which clients may call the server. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may call. */
  readonly allowedOrigins: readonly string[];
  /** Serves the console at `/`. */
  readonly console: boolean;
  /** Certificate and private key, PEM; with them the server speaks HTTPS only. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** Where the audit goes. @default {stderr} */
  readonly auditFile?: string;
  /** Whether the audit has the arguments of calls. */
  readonly auditArgs: boolean;
  /** Where jobs are kept, and whether the operator named the folder; without it there are no jobs. */
  readonly dataFolder?: { readonly path: string; readonly named: boolean };
  /** The user as whom commands run. @default {the server's own user} */
  readonly runAs?: string;
  /** Where jobs are kept if several servers share them: PostgreSQL instead of the folder. */
  readonly jobs?: { readonly url: string; readonly schema: string };
  /** Name of this server in the fleet. @default {the name of the host} */
  readonly name?: string;
  /** Labels by which jobs may ask for this server. */
  readonly labels: readonly string[];
  /** Whether commands run in control groups, and what one of them may use. */
  readonly containment: { readonly mode: ContainmentMode; readonly limits: CommandLimits };
  /** How much is logged. */
  readonly logLevel: LogLevel;
  /** Where metrics are served without a token, and nothing else is. @default {the main port} */
  readonly metricsPort?: number;
  /** Whether the tools folders are watched, so that changed tools are loaded again. */
  readonly watchTools: boolean;
  /** Whether calls are traced: Deno exports spans (`OTEL_DENO`). */
  readonly isTraced: boolean;
  /** The limits of calls. */
  readonly limits: Limits;
  /** The environment, overridden by the flags. */
  readonly env: Env;
}

/** Those that have a variable of their own. */
export type ConfigValues = Omit<
  Config,
  "action" | "newTokenFor" | "stdio" | "isTraced" | "limits" | "env"
>;

/** Environment variables by name. */
export type Env = Readonly<Record<string, string>>;

/** A setting that can't be used; its message is the one line that the operator sees. */
export class ConfigError extends Error {
  /** Name of the error class. */
  override readonly name: string = "ConfigError";
}

/** Reads the value of a variable; throws a {@linkcode ConfigError} that names both. */
export type Read<Value> = (name: string, env: Env) => Value;

/** One setting as the operator sees it: an environment variable, and a flag unless it is a secret. */
export interface SettingText {
  readonly env: string;
  /** The flag's name without its dashes. */
  readonly flag?: string;
  /** The placeholder for the flag's value in the help text; a flag without one is 0 or 1. */
  readonly value?: string;
  /** What it sets, for the help text. */
  readonly about: string;
  /** The same for `docs/settings.md`, where there is more room. @default {about} */
  readonly page?: string;
  /** Whether the flag may be given more than once; the values make up a list. */
  readonly isRepeatable?: boolean;
}

/** A setting whose value the server uses. */
export interface Setting<Value> extends SettingText {
  readonly read: Read<Value>;
  /** Further variables that the value comes from. */
  readonly also?: readonly SettingText[];
}

/** Reads a text; an absent or empty variable has none. */
export const text: Read<string | undefined> = (name, env) => env[name] || undefined;

/** Reads a whole number within bounds; an absent or empty variable is the fallback. */
export function integer<Fallback extends number | undefined>(
  fallback: Fallback,
  min: number,
  max: number,
): Read<number | Fallback> {
  return (name, env) => {
    const text = env[name];
    if (!text) return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new ConfigError(`Cannot use ${name} "${text}": it must be ${min} to ${max}`);
  };
}

/** Reads 0 or 1; an absent or empty variable is 0. */
export const zeroOrOne: Read<boolean> = (name, env) => {
  const text = env[name] || "0";
  if (text === "0" || text === "1") return text === "1";
  throw new ConfigError(`Cannot use ${name} "${text}": it must be 0 or 1`);
};

/** Reads one of several words; an absent or empty variable is the fallback. */
export function choice<Choice extends string>(
  fallback: NoInfer<Choice>,
  choices: readonly Choice[],
): Read<Choice> {
  return (name, env) => {
    const text = env[name] || fallback;
    const found = choices.find((candidate) => candidate === text);
    if (found !== undefined) return found;
    throw new ConfigError(`Cannot use ${name} "${text}": it must be ${inWords(choices)}`);
  };
}

/** Reads a list with commas; empty items are left out, and each other one is checked. */
export function list(
  check: (name: string, item: string) => string = (_name, item) => item,
): Read<string[]> {
  return (name, env) => {
    const items = (env[name] ?? "").split(",").map((part) => part.trim());
    return items.filter((item) => item !== "").map((item) => check(name, item));
  };
}

function inWords(choices: readonly string[]): string {
  return choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
}

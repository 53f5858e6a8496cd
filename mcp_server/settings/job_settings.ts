import { SERVER_NAME } from "../tool/fleet.ts";
import { ConfigError, type Env, parseList } from "./setting_value.ts";

const SCHEMA_FORM = /^(?!pg_)[a-z_][a-z0-9_]{0,50}$/;

/** The folder of this user's state (XDG Base Directory Specification), unless one is named. */
export function toDataFolder(
  env: Env,
): { readonly dataFolder?: { readonly path: string; readonly named: boolean } } {
  const { MCP_DATA_DIR: named, XDG_STATE_HOME: state, HOME: home } = env;
  if (named) return { dataFolder: { path: named.replace(/(?<=.)\/+$/, ""), named: true } };
  const parent = state?.startsWith("/") ? state : home ? `${home}/.local/state` : undefined;
  return parent === undefined ? {} : { dataFolder: { path: `${parent}/trestle`, named: false } };
}

/** Reads where jobs are shared; messages have no part of a URL, which may hold a password. */
export function parseJobsUrl(
  env: Env,
): { readonly jobs?: { readonly url: string; readonly schema: string } } {
  const { MCP_JOBS_URL: url, MCP_JOBS_SCHEMA } = env;
  const schema = MCP_JOBS_SCHEMA || "trestle";
  if (!SCHEMA_FORM.test(schema) || schema === "public") {
    throw new ConfigError(
      `Cannot use MCP_JOBS_SCHEMA "${schema}": it must be of its own, with a-z, 0-9 and _ only`,
    );
  }
  if (!url) return {};
  const { protocol, host } = URL.parse(url) ?? {};
  if (!/^postgres(ql)?:$/.test(protocol ?? "") || host === "") {
    throw new ConfigError("Cannot use MCP_JOBS_URL: it must be postgres://user@host/database");
  }
  return { jobs: { url, schema } };
}

/** Reads by which name and labels jobs may ask for this server. */
export function parseServerIdentity(
  env: Env,
): { readonly name?: string; readonly labels: readonly string[] } {
  return {
    ...(env.MCP_NAME ? { name: parseServerName("MCP_NAME", env.MCP_NAME) } : {}),
    labels: parseList(env.MCP_LABELS).map((label) => parseServerName("MCP_LABELS", label)),
  };
}

function parseServerName(setting: string, text: string): string {
  if (SERVER_NAME.test(text)) return text;
  throw new ConfigError(
    `Cannot use ${setting} "${text}": it must have letters, digits and "._-" only, 63 at most`,
  );
}

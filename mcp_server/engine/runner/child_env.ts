/** Variables by name. */
export type Env = Readonly<Record<string, string>>;

/** The variable that identifies every process that a run starts. */
export const RUN_COOKIE = "MCP_RUN_ID";

const SECRET = /^(MCP_.*|PG.*|DATABASE_URL|.*PASSPHRASE.*)$/i;

/**
 * Removes the server's own settings and secrets from its environment: every `MCP_*` and `PG*`,
 * `DATABASE_URL`, and whatever is named like a passphrase. The cookie of an outer server stays, so
 * that its sweep still finds what this server starts. Pure; done once, not for each run.
 */
export function toBaseEnv(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === RUN_COOKIE || !SECRET.test(name)),
  );
}

/**
 * The environment of one run: the base, overridden by the call's own variables, and both by the
 * cookie, which is the run's id after those of outer servers.
 */
export function toChildEnv(base: Env, runId: string, extra: Env = {}): Record<string, string> {
  const outer = base[RUN_COOKIE];
  return { ...base, ...extra, [RUN_COOKIE]: outer === undefined ? runId : `${outer} ${runId}` };
}

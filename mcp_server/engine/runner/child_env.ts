/** Variables by name. */
export type Env = Readonly<Record<string, string>>;

/** The variable by which every process that a run starts is found again. */
export const RUN_COOKIE = "MCP_RUN_ID";

const SECRET = /^(MCP_.*|PG.*|DATABASE_URL|.*PASSPHRASE.*)$/i;

/**
 * Takes the server's own settings and secrets out of its environment: every `MCP_*` and `PG*`,
 * `DATABASE_URL`, and whatever is named a passphrase. The cookie of an outer server stays, so that
 * its sweep still finds what this server starts. Pure; done once, not for each run.
 */
export function toBaseEnv(env: Env): Env {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => name === RUN_COOKIE || !SECRET.test(name)),
  );
}

/**
 * The environment of one run: the base, over it the call's own variables, and over all the cookie,
 * which is the run's id behind those of the servers around this one.
 */
export function toChildEnv(base: Env, runId: string, extra: Env = {}): Record<string, string> {
  const outer = base[RUN_COOKIE];
  return { ...base, ...extra, [RUN_COOKIE]: outer === undefined ? runId : `${outer} ${runId}` };
}

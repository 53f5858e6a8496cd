/** Variables by name. */
export type Env = Readonly<Record<string, string>>;

/** The variable that identifies every process that a run starts. */
export const RUN_COOKIE = "MCP_RUN_ID";

const SECRET = /^(MCP_.*|PG.*|DATABASE_URL|.*PASSPHRASE.*|OTEL_.*HEADERS)$/i;

/**
 * Removes the server's own settings and secrets from its environment: every `MCP_*` and `PG*`,
 * `DATABASE_URL`, the credentials of an OpenTelemetry collector, and whatever is named like a
 * passphrase. The cookie of an outer server stays, so that it still finds what this server starts.
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

/** What a child executes, as execve(2) takes it, and where. */
export interface Exec {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Env;
  /** @default {the server's working folder} */
  readonly cwd?: string | undefined;
}

/**
 * Spawns a child with exactly the given environment; its output is piped, and its input if it has
 * one. Detached, it gets a session of its own, and with it a process group.
 */
export function spawnChild(
  { program, args, env, cwd }: Exec,
  { stdin, detached = true }: { readonly stdin: boolean; readonly detached?: boolean },
): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    cwd,
    clearEnv: true,
    env: { ...env },
    detached,
    stdin: stdin ? "piped" : "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

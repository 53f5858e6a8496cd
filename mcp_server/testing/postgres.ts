import { freePort } from "./free_port.ts";
import { sharedFolder } from "../../test_support/shared_folder.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";

/** A PostgreSQL server for one test. */
export interface Postgres extends AsyncDisposable {
  /** `postgres://...` of one of its databases. */
  url(database?: string): string;
  readonly port: number;
  /** Starts it again after `stop()`. */
  start(): Promise<void>;
  /** Ends it without a turn of the event loop, for the end of the test process. */
  kill(): void;
  /** Stops it at once and drops all connections. */
  stop(): Promise<void>;
  /** Runs SQL with `psql`, over a separate connection; resolves with its output. */
  ask(query: string, database?: string): Promise<string>;
  /** Asks again and again until the output is as given; rejects after 60 s. */
  until(query: string, output: string): Promise<void>;
}

const BINARIES = "/usr/lib/postgresql/15/bin";
const USER = "tester";
/** How long a test waits for an answer; a bound, not an expectation. */
const WITHIN_MS = 60_000;
/** Not a secret: the server listens on loopback only, and is removed after the test. */
export const PASSWORD = "pass-w0rd";

/**
 * Creates a server in a temporary folder and starts it on a free port of 127.0.0.1. `connections` is how
 * many it allows at once.
 */
export async function startPostgres(connections = 60): Promise<Postgres> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTempFolder());
  const data = `${folder.path}/data`;
  const initialized = stack.use(await sharedFolder("postgres", initialize));
  await run(["cp", "-a", `${initialized.path}/data`, data]);
  const port = freePort();
  let server: Deno.ChildProcess | undefined;

  const stop = async () => {
    server?.kill("SIGQUIT");
    await server?.status;
    server = undefined;
  };
  const ask = async (query: string, database = "postgres") => {
    const args = ["-XAtq", "-h", "127.0.0.1", "-p", `${port}`, "-U", USER, database, "-c", query];
    return (await run([`${BINARIES}/psql`, ...args], { PGPASSWORD: PASSWORD })).trim();
  };
  const start = async () => {
    const options = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
    const quick = ["-c", "fsync=off", "-c", `max_connections=${connections}`];
    const args = ["postgres", "-D", data, "-p", `${port}`, ...options, ...quick];
    const [program = "", ...rest] = asPostgres(args);
    const silent = { stdin: "null", stdout: "null", stderr: "null", cwd: "/" } as const;
    // A connection of another program may hold the port for a moment, so that the server ends.
    let hasEnded = true;
    const launch = () => {
      hasEnded = false;
      server = new Deno.Command(program, { args: rest, ...silent }).spawn();
      server.status.then(() => hasEnded = true);
    };
    await until("SELECT 1", "1", () => hasEnded && launch());
  };
  const until = async (query: string, output: string, between = () => {}) => {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const last = await ask(query).catch(String);
      if (last === output) return;
      if (performance.now() > deadline) throw new Error(`Cannot see "${output}": it is "${last}"`);
      between();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  stack.defer(stop);
  await start();
  const owned = stack.move();
  return {
    port,
    url: (database = "postgres") => `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`,
    start,
    kill: () => {
      server?.kill("SIGQUIT");
      if (server !== undefined) waitForEnd(server.pid);
      Deno.removeSync(folder.path, { recursive: true });
    },
    stop,
    ask,
    until,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Makes the folder of an empty server, `data`, which each server gets a copy of. */
async function initialize(folder: string): Promise<void> {
  if (Deno.uid() === 0) await run(["chown", "postgres", folder]);
  await Deno.writeTextFile(`${folder}/password`, PASSWORD);
  const auth = ["--auth=scram-sha-256", `--pwfile=${folder}/password`];
  await run(asPostgres(["initdb", "--no-sync", "-D", `${folder}/data`, "-U", USER, ...auth]));
}

/** Blocks until a process has ended: one that still writes would fill a folder that is removed. */
function waitForEnd(pid: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let left = 500; left > 0 && isRunning(pid); left--) Atomics.wait(pause, 0, 0, 10);
}

function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root. */
function asPostgres([program = "", ...args]: readonly string[]): string[] {
  const command = [`${BINARIES}/${program}`, ...args];
  if (Deno.uid() !== 0) return command;
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", ...command];
}

async function run(command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const [program = "", ...args] = command;
  const options = { args, env, cwd: "/", stdin: "null" } as const;
  const { success, stdout, stderr } = await new Deno.Command(program, options).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot run "${program}": ${text(stderr)}`);
  return text(stdout);
}

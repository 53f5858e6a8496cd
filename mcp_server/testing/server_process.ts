import { basename } from "node:path/posix";
import { childrenOf } from "./processes.ts";

/** A real server in its own process, for tests. */
export interface ServerProcess extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or an empty string over stdio. */
  readonly url: string;
  /** The process that serves, also if the program is npm's, which starts that one. */
  readonly pid: number;
  /** What was started. */
  readonly process: Deno.ChildProcess;
  /** All that it has written to stderr so far. */
  stderr(): string;
  /** Waits until stderr, which is written in the background, matches; rejects after 30 s. */
  logged(pattern: RegExp): Promise<void>;
  /**
   * Sends a signal to what was started, SIGKILL to the process that serves; resolves with the exit
   * code.
   */
  stop(signal?: Deno.Signal): Promise<number>;
}

/** How the server is started. */
export interface ServerOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Permission flags. @default {["-A"]} */
  readonly permissions?: readonly string[];
  /** The folder that it is started in. @default {that of the test} */
  readonly cwd?: string;
  /**
   * A compiled or an installed server, which is started instead of `deno`.
   * @default {`TRESTLE_TEST_PROGRAM`, if that is set}
   */
  readonly program?: string;
}

const LOGGED_WITHIN_MS = 30_000;

const MAIN = new URL("../main.ts", import.meta.url).pathname;

const PROGRAM = Deno.env.get("TRESTLE_TEST_PROGRAM");

/** A server keeps no jobs unless its test gives it a folder: those of this user are not for tests. */
const NO_FOLDER = "/dev/null";

/** The command that starts a server on a free port, for a client that starts its server itself. */
export function serverCommand(
  { args = [], env = {}, permissions = ["-A"], program = PROGRAM }: ServerOptions = {},
): { command: string; args: string[]; env: Record<string, string> } {
  const run = ["run", "--no-prompt", "--quiet", ...permissions, MAIN];
  return {
    command: program ?? Deno.execPath(),
    args: program === undefined ? [...run, ...args] : [...args],
    env: { MCP_PORT: "0", XDG_STATE_HOME: NO_FOLDER, ...env },
  };
}

/** Starts a server on a free port of 127.0.0.1 and resolves once it serves. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const { command, ...started } = serverCommand(options);
  const process = new Deno.Command(command, {
    ...started,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = collect(process.stderr);
  const stdout = collect(process.stdout);
  const announced = await stdout.until(/http\S+(?=\/mcp)/);
  if (announced === undefined) {
    throw new Error(`Cannot start the server: ${stderr.text() || (await process.status).code}`);
  }
  const pid = await servingProcess(process.pid);
  const stop = async (signal: Deno.Signal = "SIGTERM") => {
    try {
      if (signal === "SIGKILL" && pid !== process.pid) Deno.kill(pid, signal);
      else process.kill(signal);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
    const { code } = await process.status;
    await Promise.all([stdout.ended, stderr.ended]);
    return code;
  };
  const logged = async (pattern: RegExp) => {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), LOGGED_WITHIN_MS);
    const found = await Promise.race([stderr.until(pattern), late.promise]);
    clearTimeout(timer);
    if (found === undefined) throw new Error(`Cannot find ${pattern} in stderr: ${stderr.text()}`);
  };
  return {
    url: announced,
    pid,
    process,
    stderr: stderr.text,
    logged,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}

/** The program of the npm package is one of Node, whose only child is the server. */
async function servingProcess(started: number): Promise<number> {
  const program = await Deno.readLink(`/proc/${started}/exe`).catch(() => "");
  if (basename(program) !== "node") return started;
  const [child, ...others] = await childrenOf(started);
  if (child !== undefined && others.length === 0) return child;
  throw new Error(`Cannot find the server that "${started}" has started: it has no single child`);
}

/** Reads a stream to its end, and reports when a pattern has appeared. */
function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = "";
  let waiting: { pattern: RegExp; resolve: (match: string | undefined) => void } | undefined;
  const check = () => {
    const match = waiting?.pattern.exec(text)?.[0];
    if (match !== undefined) waiting?.resolve(match);
  };
  const read = async () => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      check();
    }
    waiting?.resolve(undefined);
  };
  return {
    ended: read(),
    text: () => text,
    until: (pattern: RegExp): Promise<string | undefined> => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      waiting = { pattern, resolve };
      check();
      return promise;
    },
  };
}

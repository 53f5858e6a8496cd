import { bearerOf, EVERYTHING, writeCallers } from "../testing/callers_file.ts";
import { type ServerProcess, startServer } from "../testing/server_process.ts";
import { findByMark } from "../testing/test_runner.ts";
import { type Services, startServices } from "../soak/services.ts";

/** A server to which surfaces send what no client would send. */
export interface FuzzServer extends AsyncDisposable {
  readonly url: string;
  readonly services: Services;
  /** What the bounded caller may not read or change. */
  readonly secret: { readonly path: string; readonly text: string };
  /** The folder of the bounded caller. */
  readonly files: string;
  /** Sends a well-formed request as the caller with all rights. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** What it logged that it should not, since the last question; whether it still answers. */
  faults(): Promise<string[]>;
  /** Stops it; returns what it leaves: processes, temporary files, an exit code other than 0. */
  stop(): Promise<string[]>;
}

/** Who may do everything, and who may only use files below one folder. */
export const CALLERS = { all: "fuzz", bounded: "bounded" } as const;

/** How the server is started. */
export interface FuzzServerOptions {
  /** The source of a tool that it has besides the built-in ones. @default {one that echoes} */
  readonly tool?: string;
}

const ANSWER_MS = 20_000;
const SETTLE_MS = 10_000;
/** How long the server waits for the header of a request. */
export const HEADER_MS = 1_000;
/** Clients that promise more than they send are soon closed; jobs keep little of their output. */
const LIMITS = {
  MCP_HEADER_TIMEOUT_MS: String(HEADER_MS),
  MCP_BODY_TIMEOUT_MS: "1000",
  MCP_JOB_OUTPUT_BYTES: "8192",
  MCP_MAX_TIMEOUT_MS: "2000",
  MCP_TOOL_LOAD_MS: "60000",
};
const ECHO = `export { default } from "${new URL(
  "../testdata/tools/echo.ts",
  import.meta.url,
)}";\n`;
/** What the log of a server has only if something is wrong with it. */
export const FAULT = /"(?:unhandled rejection|uncaught error)"|"level":"error"/;

let shared: { readonly server: Promise<FuzzServer>; users: number } | undefined;

/** The server that all surfaces share while one of them uses it; it is closed after the last one. */
export async function useFuzzServer(): Promise<FuzzServer> {
  const using = shared ??= { server: startFuzzServer(), users: 0 };
  using.users++;
  const server = await using.server;
  return {
    ...server,
    stop: () => using.users === 1 ? server.stop() : Promise.resolve([]),
    [Symbol.asyncDispose]: async () => {
      if (--using.users > 0) return;
      shared = undefined;
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Starts a server with two callers, and PostgreSQL and sshd if they are installed. */
export async function startFuzzServer(options: FuzzServerOptions = {}): Promise<FuzzServer> {
  const { tool = ECHO } = options;
  await using stack = new AsyncDisposableStack();
  const services = stack.use(await startServices());
  const { files } = services;
  const secret = { path: `${files}/secret`, text: `secret-${crypto.randomUUID()}` };
  await Deno.writeTextFile(secret.path, secret.text);
  for (const name of ["tools", "inside", "inside/folder"]) await Deno.mkdir(`${files}/${name}`);
  await Deno.writeTextFile(`${files}/tools/echo.ts`, tool);
  await Deno.symlink(secret.path, `${files}/inside/link`);
  await Deno.symlink("..", `${files}/inside/up`);
  const callers = await writeCallers(files, {
    [CALLERS.all]: { ...EVERYTHING, admin: true },
    [CALLERS.bounded]: {
      tools: ["*-file", "*-files"],
      paths: [`${files}/inside/**`],
    },
  });
  const server = stack.use(
    await startServer({
      args: ["--callers", callers, "--tools", `${files}/tools`],
      env: { ...services.env, ...LIMITS },
    }),
  );
  const send = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      signal: AbortSignal.timeout(ANSWER_MS),
      ...init,
      headers: { ...bearerOf(CALLERS.all), ...Object(init.headers) },
    });
  const owned = stack.move();
  return {
    url: server.url,
    services,
    secret,
    files: `${files}/inside`,
    send,
    faults: createFaultFinder(server, secret, send),
    stop: () => stop(server, services),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function createFaultFinder(
  server: ServerProcess,
  secret: FuzzServer["secret"],
  send: FuzzServer["send"],
): FuzzServer["faults"] {
  let seen = 0;
  return async () => {
    const health = await send("/healthz").then((response) => response.text(), String);
    const log = server.stderr();
    // The rest of a line that has not arrived whole is read next time.
    const end = log.lastIndexOf("\n") + 1;
    const faults = log.slice(seen, end).split("\n").filter((line) => FAULT.test(line));
    seen = end;
    if (health !== "ok") faults.push(`The server does not answer: ${health}`);
    if (await Deno.readTextFile(secret.path) !== secret.text) faults.push("The secret has changed");
    return faults;
  };
}

async function stop(server: ServerProcess, { mark, temp }: Services): Promise<string[]> {
  const code = await server.stop();
  const exit = code === 0 ? [] : [`The exit code is ${code}`];
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const processes = findByMark(mark).map((pid) => `Process ${pid} is left`);
    const files = [...Deno.readDirSync(temp)].map(({ name }) => `${temp}/${name} is left`);
    const left = [...processes, ...files];
    if (left.length === 0 || performance.now() > deadline) return [...exit, ...left];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

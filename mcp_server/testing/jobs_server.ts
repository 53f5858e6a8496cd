import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Job } from "../tool/job.ts";
import { type CallerRights, writeCallers } from "./callers_file.ts";
import { type ServerOptions, type ServerProcess, startServer } from "./server_process.ts";

/** A server-sent event, as it came. */
export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A real server whose jobs are in a folder of the test. */
export interface JobsServer extends AsyncDisposable {
  readonly server: ServerProcess;
  /** Its folder, in which the callers file is too. */
  readonly folder: string;
  /** Sends a request; the path begins with `/api`. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Starts a job with one shell command, which must be accepted. */
  sh(command: string, options?: { stdin?: boolean; timeoutMs?: number }): Promise<Job>;
  /** Starts a job of any tool; the headers may say more than that it is one. */
  start(call: object, headers?: Record<string, string>): Promise<Response>;
  /** A job as it is now. */
  job(id: string): Promise<Job>;
  /** A job once it has ended. */
  ended(id: string): Promise<Job>;
  /** A job once it runs, or has ended. */
  running(id: string): Promise<Job>;
}

const TOOLS = ["tools", "job_tools"].map((name) => {
  return new URL(`../testdata/${name}`, import.meta.url).pathname;
});
/** How long a test waits for a job; a bound, not an expectation. */
const WAIT_MS = 60_000;
const TYPE = { "content-type": "application/json" };

/** How the server is started. */
export interface JobsServerOptions extends ServerOptions {
  /** The callers of its file; see `writeCallers()`. @default {there is no file} */
  readonly callers?: Readonly<Record<string, CallerRights>>;
}

/** Starts a server with the tools of tests. */
export async function startJobsServer(options: JobsServerOptions = {}): Promise<JobsServer> {
  await using stack = new AsyncDisposableStack();
  const { callers } = options;
  const { path: MCP_DATA_DIR } = stack.use(await createTempFolder());
  const file: Record<string, string> = callers === undefined
    ? {}
    : { MCP_CALLERS_FILE: await writeCallers(MCP_DATA_DIR, callers) };
  const { MCP_TOOLS_DIR } = options.env ?? {};
  const tools = MCP_TOOLS_DIR === undefined ? TOOLS : [...TOOLS, MCP_TOOLS_DIR];
  const server = stack.use(
    await startServer({
      args: ["--tools", tools.join(","), "--log-level", "error", ...options.args ?? []],
      env: { MCP_DATA_DIR, MCP_AUDIT_FILE: "/dev/null", ...file, ...options.env },
    }),
  );
  const ends = stack.move();
  const send = (path: string, init: RequestInit = {}) => fetch(server.url + path, init);
  const job = async (id: string): Promise<Job> => await (await send(`/api/jobs/${id}`)).json();
  const leaves = async (id: string, states: readonly string[]): Promise<Job> => {
    const signal = AbortSignal.timeout(WAIT_MS);
    for (let last = await job(id);;) {
      if (!states.includes(last.state)) return last;
      const { stdout, stderr } = last.output;
      const headers = { "if-none-match": `"${last.state}-${stdout.end}-${stderr.end}"` };
      const response = await send(`/api/jobs/${id}?wait=30`, { headers, signal });
      if (response.status !== 304) last = await response.json();
    }
  };
  const start = (call: object, headers: Record<string, string> = {}) =>
    send("/api", {
      method: "POST",
      headers: { ...TYPE, prefer: "respond-async", ...headers },
      body: JSON.stringify(call),
    });
  return {
    server,
    folder: MCP_DATA_DIR,
    send,
    start,
    job,
    sh: async (command, { stdin = false, ...rest } = {}) => {
      const args = { commands: [{ command }], ...rest };
      const response = await start({ tool: "exec-command", args, stdin });
      if (response.status !== 202) throw new Error(`Cannot start: ${await response.text()}`);
      return await response.json();
    },
    ended: (id) => leaves(id, ["queued", "running"]),
    running: (id) => leaves(id, ["queued"]),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Parses the whole events of a stream that may be cut anywhere; comments are left out. */
export function parseEvents(text: string): ReceivedEvent[] {
  return text.split("\n\n").slice(0, -1).filter((event) => !event.startsWith(":")).map((event) => {
    const fields = new Map(
      event.split("\n").map((line) => {
        const at = line.indexOf(": ");
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    const { id = "", event: name = "", data = "" } = Object.fromEntries(fields);
    return { id, event: name, data: JSON.parse(data) };
  });
}

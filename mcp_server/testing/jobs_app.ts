import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type App, createApp } from "../app.ts";
import { DEFAULT_CALLER } from "../access/caller.ts";
import { parseConfig } from "../settings/parse_config.ts";
import { isFinal, type Job } from "../tool/job.ts";
import type { JobService } from "../tool/job_service.ts";
import type { CallerJobs, Transport } from "../tool/service.ts";
import type { CallOutcome } from "../tool/result.ts";
import { PATH } from "./test_runner.ts";

/** A complete server without transports, whose jobs are in a folder of the test. */
export interface JobsApp extends AsyncDisposable {
  readonly app: App;
  /** The folder with the store. */
  readonly folder: string;
  /** The jobs of the caller `default`. */
  readonly jobs: CallerJobs;
  /** Starts `exec-command` with one command in bash. */
  sh(command: string, options?: { stdin?: boolean; timeoutMs?: number }): Promise<Job>;
  /** Calls a tool as a transport does. */
  call(tool: string, args: object): Promise<CallOutcome>;
}

/** How long a test waits for a job; a bound, not an expectation. */
const WAIT_MS = 30_000;
const TOOLS = new URL("../testdata/job_tools", import.meta.url).pathname;

/** Creates a server; without a folder in `env`, creates one. */
export async function createJobsApp(env: Record<string, string> = {}): Promise<JobsApp> {
  await using stack = new AsyncDisposableStack();
  const own = stack.use(await createTempFolder());
  const folder = env.MCP_DATA_DIR ?? `${own.path}/data`;
  const app = await createApp(parseConfig(["--tools", TOOLS], {
    PATH,
    MCP_DATA_DIR: folder,
    MCP_AUDIT_FILE: `${own.path}/audit`,
    MCP_LOG_LEVEL: "error",
    ...env,
  }, 2));
  stack.defer(() => app.close());
  const ends = stack.move();
  const jobs = app.jobs.forCaller(DEFAULT_CALLER);
  return {
    app,
    folder,
    jobs,
    sh: async (command, { stdin = false, timeoutMs } = {}) => {
      const args = { commands: [{ command }], ...(timeoutMs === undefined ? {} : { timeoutMs }) };
      return (await jobs.start({ tool: "exec-command", args, stdin })).job;
    },
    call: (tool, args) =>
      app.service.call(tool, args, {
        transport: "embedded",
        client: new AbortController(),
        caller: DEFAULT_CALLER,
      }),
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** Waits for the end of a job; rejects if it does not end. */
export async function untilEnd(jobs: JobService, id: string): Promise<Job> {
  const job = await jobs.wait(id, { timeoutMs: WAIT_MS, untilEnd: true });
  if (!isFinal(job.state)) throw new Error(`Cannot see the end of the job: ${job.state}`);
  return job;
}

/** Waits until a job runs. */
export async function untilRunning(jobs: JobService, id: string): Promise<Job> {
  return await jobs.wait(id, { timeoutMs: WAIT_MS, since: "queued" });
}

/** Waits until a stream of a job contains a text, and returns the whole stream. */
export async function untilOutput(
  jobs: JobService,
  id: string,
  text: string,
): Promise<string> {
  let output = "";
  const signal = AbortSignal.timeout(WAIT_MS);
  for await (const event of jobs.watch(id, { signal })) {
    if (event.type === "stdout") output += new TextDecoder().decode(event.bytes);
    if (output.includes(text)) return output;
  }
  throw new Error(`Cannot see "${text}" in the output: ${output}`);
}

/** The kept bytes of a stream, read in parts; a gap is left out. */
export async function readWhole(
  jobs: JobService,
  id: string,
  stream: "stdout" | "stderr" = "stdout",
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let offset = 0;;) {
    const part = await jobs.read(id, { stream, offset, limit: 1_000_000 });
    if (part.bytes.length === 0) break;
    parts.push(part.bytes);
    offset = part.nextOffset;
  }
  return new Uint8Array(await new Blob(parts.map((part) => new Uint8Array(part))).arrayBuffer());
}

/** What a call answers, as JSON. */
export async function answer(
  { app }: JobsApp,
  tool: string,
  args: object,
  { transport = "mcp-http", client = new AbortController() }: {
    readonly transport?: Transport;
    readonly client?: AbortController;
  } = {},
) {
  const outcome = await app.service.call(tool, args, { transport, client, caller: DEFAULT_CALLER });
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return JSON.parse(JSON.stringify(outcome.result.structuredContent));
}

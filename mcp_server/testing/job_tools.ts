import { DEFAULT_CALLER } from "../access/caller.ts";
import type { Job } from "../tool/job.ts";
import type { JobRequest } from "../tool/job_service.ts";
import type { JsonObject } from "../shared/json.ts";
import type { CallOutcome } from "../tool/result.ts";
import { createJobsApp, type JobsApp } from "./jobs_app.ts";

/** How far the output of a job was read. */
export type Position = { readonly stdout: number; readonly stderr: number };

/** What `job-wait` and `job-input` answer; a live job has its id and state alone. */
export interface WaitAnswer {
  readonly job: Job;
  readonly stdout: string;
  readonly stderr: string;
  readonly next: Position;
  readonly matched?: boolean;
}

/** Who calls. */
interface JobCaller {
  /** Its name. @default {"default"} */
  readonly caller?: string;
  readonly client?: AbortController;
}

/** The tools for jobs in a whole server without transports. */
interface JobTools extends AsyncDisposable {
  readonly app: JobsApp["app"];
  /** A folder of the test. */
  readonly folder: string;
  /** Calls any tool. */
  call(tool: string, args: object, options?: JobCaller): Promise<CallOutcome>;
  /** Calls a tool and returns its output; rejects if the call is refused. */
  output(tool: string, args: object, options?: JobCaller): Promise<JsonObject>;
  /** Calls a tool and returns the code and the message of its refusal. */
  refusal(tool: string, args: object, options?: JobCaller): Promise<[string, string]>;
  /** Starts a shell command with `job-start`; returns the id of the job. */
  start(command: string, options?: StartOptions): Promise<string>;
  /** Calls `job-wait`. */
  wait(id: string, args?: WaitArguments): Promise<WaitAnswer>;
  /** Calls `job-input`. */
  input(id: string, text: string, args?: WaitArguments & { end?: boolean }): Promise<WaitAnswer>;
}

/** How long a call waits, and for what. */
interface WaitArguments {
  readonly from?: Position;
  readonly seconds?: number;
  readonly until?: string;
}

/** How a command is started. */
export interface StartOptions {
  readonly stdin?: boolean;
  readonly tty?: JobRequest["tty"];
  readonly maxOutputBytes?: number;
}

/** Creates a server with the tools; the environment is as for `createJobsApp()`. */
export async function createJobTools(env: Record<string, string> = {}): Promise<JobTools> {
  const server = await createJobsApp(env);
  const call: JobTools["call"] = (
    tool,
    args,
    { caller = DEFAULT_CALLER.name, client = new AbortController() } = {},
  ) =>
    server.app.service.call(tool, args, {
      transport: "embedded",
      client,
      caller: { name: caller },
    });
  const output: JobTools["output"] = async (tool, args, options) => {
    const outcome = await call(tool, args, options);
    if (!outcome.ok) throw new Error(`Cannot call "${tool}": ${outcome.refusal.message}`);
    return outcome.result.structuredContent ?? {};
  };
  return {
    app: server.app,
    folder: server.folder,
    call,
    output,
    refusal: async (tool, args, options) => {
      const outcome = await call(tool, args, options);
      if (outcome.ok) throw new Error(`Cannot see a refusal of "${tool}": it was carried out`);
      return [outcome.refusal.code, outcome.refusal.message];
    },
    start: async (command, { stdin = false, tty, ...options } = {}) => {
      const args = { commands: [{ command }], ...options };
      const started = await output("job-start", { tool: "exec-command", args, stdin, tty });
      const { job }: { job: Job } = JSON.parse(JSON.stringify(started));
      return job.id;
    },
    wait: async (id, args = {}) =>
      JSON.parse(JSON.stringify(await output("job-wait", { id, ...args }))),
    input: async (id, text, args = {}) =>
      JSON.parse(JSON.stringify(await output("job-input", { id, text, ...args }))),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

import type { Job } from "../tool/job.ts";
import { parseEvents, type ReceivedEvent } from "../testing/jobs_server.ts";
import { type FuzzServer, useFuzzServer } from "./fuzz_server.ts";

/** A server with jobs that have ended, of which everything is known. */
export interface KnownJobs extends AsyncDisposable {
  readonly server: FuzzServer;
  /** The path of a job with more output than is kept. */
  readonly path: string;
  /** What it has written to stdout. */
  readonly stdout: string;
  /** All its events. */
  readonly events: readonly ReceivedEvent[];
  /** The ids of all jobs, the newest first. */
  readonly ids: readonly string[];
}

const SHORT_JOBS = 6;
const LINES = 4_000;

/** Starts a server and jobs on it, and waits for their ends. */
export async function startKnownJobs(): Promise<KnownJobs> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await useFuzzServer());
  const start = async (command: string): Promise<Job> => {
    const response = await server.send("/api", {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "respond-async, wait=20" },
      body: JSON.stringify({ tool: "exec-command", args: { commands: [{ command }] } }),
    });
    const [, id] = /\/([^/]+)$/.exec(response.headers.get("location") ?? "") ?? [];
    await response.body?.cancel();
    return await (await server.send(`/api/jobs/${id}`)).json();
  };
  for (let at = 0; at < SHORT_JOBS; at++) await start(`echo ${at}`);
  const { id } = await start(`seq ${LINES}; echo err >&2`);
  const path = `/api/jobs/${id}`;
  const events = parseEvents(await (await server.send(`${path}/events`)).text());
  const { jobs }: { jobs: Job[] } = await (await server.send("/api/jobs?limit=1000")).json();
  const owned = stack.move();
  return {
    server,
    path,
    stdout: Array.from({ length: LINES }, (_, at) => `${at + 1}\n`).join(""),
    events,
    ids: jobs.map((job) => job.id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

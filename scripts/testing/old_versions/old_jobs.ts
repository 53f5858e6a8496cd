import { TOKEN } from "./requests.ts";

/** So long after the end of every job, tests still find it. */
export const NEVER: number = Date.parse("2100-01-01T00:00:00Z");

/** A job as its server describes it, with more fields, which are kept as they are. */
export interface OldJob {
  readonly id: string;
  readonly state: string;
}

/** Everything that a server says of a job. */
export interface DescribedJob {
  readonly job: OldJob;
  readonly stdout: string;
  readonly stderr: string;
}

/** A job with one shell command. */
export interface JobRequest {
  readonly command: string;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** Its `Idempotency-Key`. */
  readonly key?: string;
}

/** Starts a job. */
export async function start(
  url: string,
  { command, cwd, timeoutMs, key }: JobRequest,
): Promise<OldJob> {
  const commands = [{ command, ...(cwd === undefined ? {} : { cwd }) }];
  const args = { commands, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const response = await send(url, "/api", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      prefer: "respond-async",
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify({ tool: "exec-command", args }),
  });
  if (response.status !== 202) throw new Error(`Cannot start a job: ${await response.text()}`);
  return await response.json();
}

/** Cancels a job, and describes it after its end. */
export async function cancelled(url: string, job: OldJob): Promise<DescribedJob> {
  await send(url, `/api/jobs/${job.id}/cancel`, { method: "POST" });
  return await finished(url, job);
}

/** Describes a job after its end. */
export async function finished(url: string, job: OldJob): Promise<DescribedJob> {
  for (let changes = 0; changes < 10; changes++) {
    const { state } = await (await send(url, `/api/jobs/${job.id}?wait=30`)).json();
    if (!["queued", "running"].includes(state)) return await describe(url, job);
  }
  throw new Error(`Cannot see the end of the job "${job.id}"`);
}

/** Describes a job that has written the id of its process. */
export async function begun(
  url: string,
  job: OldJob,
): Promise<{ readonly described: DescribedJob; readonly pid: number }> {
  for (let times = 0; times < 100; times++) {
    const { stdout } = await describe(url, job);
    // Described anew, since the job was described before its output was read.
    if (stdout.endsWith("\n")) return { described: await describe(url, job), pid: Number(stdout) };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Cannot read the output of the job "${job.id}"`);
}

/** Describes a job as it is. */
export async function describe(url: string, { id }: OldJob): Promise<DescribedJob> {
  const read = async (path: string) => await send(url, `/api/jobs/${id}${path}`);
  return {
    job: await (await read("")).json(),
    stdout: await (await read("/stdout")).text(),
    stderr: await (await read("/stderr")).text(),
  };
}

function send(url: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...init.headers };
  return fetch(url + path, { ...init, headers });
}

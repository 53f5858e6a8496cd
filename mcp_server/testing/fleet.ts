import { createTempFolder } from "../../test_support/temp_folder.ts";
import type { Job } from "../tool/job.ts";
import type { Postgres } from "./postgres.ts";
import { type JobsServer, startJobsServer } from "./jobs_server.ts";

/** Servers that share their jobs in one schema of a database. */
export interface Fleet extends AsyncDisposable {
  readonly schema: string;
  /** Starts a server of a name, as a process of its own. */
  join(name: string, env?: Readonly<Record<string, string>>): Promise<JobsServer>;
}

let fleets = 0;

/** Creates a fleet without servers; disposing of it stops them. */
export async function createFleet({ url }: Pick<Postgres, "url">): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  stack.use(await createTempFolder());
  const servers = stack.move();
  const schema = `fleet_${++fleets}`;
  return {
    schema,
    join: async (name, env = {}) =>
      servers.use(
        await startJobsServer({
          env: { MCP_JOBS_URL: url(), MCP_JOBS_SCHEMA: schema, MCP_NAME: name, ...env },
        }),
      ),
    [Symbol.asyncDispose]: () => servers.disposeAsync(),
  };
}

/** Starts a job with one shell command on a server of the fleet. */
export async function startOn(
  { start }: JobsServer,
  command: string,
  more: { readonly on?: string; readonly retries?: number; readonly stdin?: boolean } = {},
): Promise<Job> {
  const response = await start({
    tool: "exec-command",
    args: { commands: [{ command }], timeoutMs: 300_000 },
    ...more,
  });
  if (response.status !== 202) throw new Error(`Cannot start: ${await response.text()}`);
  return await response.json();
}

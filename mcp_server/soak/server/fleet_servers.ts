import { freePort } from "../../testing/free_port.ts";
import {
  type CallerRights,
  EVERYTHING,
  tokenOf,
  writeCallers,
} from "../../testing/callers_file.ts";
import { writeSecrets } from "../../testing/secrets_file.ts";
import { type ServerProcess, startServer } from "../../testing/server_process.ts";
import { type ApiClient, createApiClient } from "../clients/api_client.ts";
import type { Services } from "../services.ts";
import { oneAtATime } from "../waiting.ts";

/** Two servers that share their jobs in one PostgreSQL. */
export interface FleetServers extends AsyncDisposable {
  /** `web-1`, which runs all the time. */
  readonly first: ApiClient;
  /** `web-2`, which has the label `builder`, and restarts. */
  readonly second: ApiClient;
  /** The process of `web-1`. */
  readonly pid: number;
  /** Runs something during which neither server restarts. */
  share<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Runs something while nothing else uses the servers. */
  alone(run: () => Promise<void>): Promise<void>;
  /** Stops `web-2` as its service manager does, and starts it again at the same address. */
  restart(): Promise<void>;
  /** Stops both. */
  stop(): Promise<void>;
  /** How often `web-2` has restarted. */
  readonly restarts: number;
  /** The exit codes of servers that have ended. */
  readonly exitCodes: readonly number[];
  /** The ids of all processes so far. */
  readonly pids: readonly number[];
  /** What all of them have written to stderr. */
  stderr(): string;
}

/** The label of `web-2`. */
export const LABEL = "builder";
/** The schema of PostgreSQL in which the jobs are. */
export const FLEET_SCHEMA = "soak_fleet";

const CALLERS: Readonly<Record<string, CallerRights>> = {
  worker: { ...EVERYTHING, secrets: ["SOAK_*"] },
  other: EVERYTHING,
  asker: { ...EVERYTHING, ask: ["edit-file"] },
};

/** Starts the servers, with a callers file that does not change; `undefined` without PostgreSQL. */
export async function startFleet(services: Services): Promise<FleetServers | undefined> {
  const { postgresUrl, env, audit } = services;
  if (postgresUrl === undefined) return undefined;
  const folder = `${services.folder}/fleet`;
  await Deno.mkdir(folder);
  const shared = {
    ...env,
    MCP_JOBS_URL: postgresUrl,
    MCP_JOBS_SCHEMA: FLEET_SCHEMA,
    MCP_TOKEN: tokenOf("default"),
    MCP_CALLERS_FILE: await writeCallers(folder, CALLERS),
    MCP_SECRETS_FILE: await writeSecrets(folder, { SOAK_TOKEN: crypto.randomUUID() }),
    MCP_IDLE_TIMEOUT_MS: "120000",
  };
  const started: ServerProcess[] = [];
  const ports = [freePort(), freePort()];
  await using stack = new AsyncDisposableStack();
  const owned = stack.use(new AsyncDisposableStack());
  const start = async (at: 0 | 1) => {
    const name = `web-${at + 1}`;
    const own = {
      MCP_NAME: name,
      MCP_PORT: `${ports[at]}`,
      MCP_LABELS: at === 1 ? LABEL : "",
      MCP_AUDIT_FILE: `${audit}-fleet-${name}`,
    };
    const server = owned.use(await startServer({ env: { ...shared, ...own } }));
    started.push(server);
    return server;
  };
  const exitCodes: number[] = [];
  const web1 = await start(0);
  let web2 = await start(1);
  const { share, alone } = sharedTurns();
  stack.move();
  let restarts = 0;
  return {
    first: createApiClient(web1.url),
    second: createApiClient(web2.url),
    pid: web1.pid,
    share,
    alone,
    restart: async () => {
      restarts++;
      exitCodes.push(await web2.stop());
      web2 = await start(1);
    },
    stop: async () => void exitCodes.push(await web1.stop(), await web2.stop()),
    get restarts() {
      return restarts;
    },
    exitCodes,
    get pids() {
      return started.map(({ pid }) => pid);
    },
    stderr: () => started.map((server) => server.stderr()).join(""),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Lets many things run at once, or one of them alone. */
function sharedTurns(): Pick<FleetServers, "share" | "alone"> {
  const running = new Set<Promise<unknown>>();
  let busy: Promise<void> | undefined;
  return {
    share: async (run) => {
      while (busy !== undefined) await busy;
      const turn = run();
      running.add(turn);
      try {
        return await turn;
      } finally {
        running.delete(turn);
      }
    },
    alone: oneAtATime(async (run: () => Promise<void>) => {
      const over = Promise.withResolvers<void>();
      busy = over.promise;
      try {
        await Promise.allSettled([...running]);
        await run();
      } finally {
        busy = undefined;
        over.resolve();
      }
    }),
  };
}

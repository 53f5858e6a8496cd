import {
  type CallerRights,
  EVERYTHING,
  tokenOf,
  writeCallers,
} from "../../testing/callers_file.ts";
import { writeSecrets } from "../../testing/secrets_file.ts";
import { type ServerProcess, startServer } from "../../testing/server_process.ts";
import type { Services } from "../services.ts";
import { writeTool } from "./changing_tool.ts";
import { prepareStdioServers, type StdioServers } from "./stdio_servers.ts";

/** The server that gets the traffic, and what can be changed while it runs. */
export interface SoakServer extends AsyncDisposable {
  readonly process: ServerProcess;
  /** The folder of the callers file. */
  readonly folder: string;
  /** A folder of tools that are loaded again when they change. */
  readonly tools: string;
  /** How long a client may pause in sending or reading, in milliseconds. */
  readonly clientMs: number;
  /** Environment and program of servers over stdio, which a client starts itself. */
  readonly stdio: StdioServers;
}

/** Bytes of a job's output that are kept of each stream. */
export const KEPT_BYTES = 1_048_576;
/** Concurrent connections; a flood is larger. */
export const MOST_CONNECTIONS = 250;
/** The largest body. */
export const MOST_BODY_BYTES = 4_194_304;

/** The callers of the file, besides `default`; `guest` comes and goes. */
export function callersFor(services: Services): Record<string, CallerRights> {
  return {
    worker: { ...EVERYTHING, secrets: ["SOAK_*"] },
    other: EVERYTHING,
    asker: { ...EVERYTHING, ask: ["edit-file"] },
    reader: {
      tools: ["read-file", "sql-query"],
      databases: { main: "ro" },
      paths: [`${services.files}/**`],
    },
    quota: { tools: ["exec-command", "job-*"], maxCalls: 1, maxJobs: 1, maxTimeoutMs: 20_000 },
  };
}

/** Starts the server, with a callers file and a folder of tools that change. */
export async function startSoakServer(
  services: Services,
  clientMs: number,
): Promise<SoakServer> {
  const { folder } = services;
  const tools = `${folder}/tools`;
  await Deno.mkdir(tools);
  await writeTool(tools, 1);
  const callers = await writeCallers(folder, callersFor(services));
  const MCP_SECRETS_FILE = await writeSecrets(folder, { SOAK_TOKEN: crypto.randomUUID() });
  const env = {
    ...services.env,
    MCP_TOOLS_DIR: tools,
    MCP_SECRETS_FILE,
    MCP_WATCH_TOOLS: "1",
    MCP_TASK_AFTER_MS: "300",
    MCP_JOB_OUTPUT_BYTES: `${KEPT_BYTES}`,
    MCP_MAX_BODY_BYTES: `${MOST_BODY_BYTES}`,
  };
  const process = await startServer({
    env: {
      ...env,
      MCP_TOKEN: tokenOf("default"),
      MCP_CALLERS_FILE: callers,
      MCP_MAX_CONNECTIONS: `${MOST_CONNECTIONS}`,
      MCP_HEADER_TIMEOUT_MS: `${clientMs}`,
      MCP_BODY_TIMEOUT_MS: `${clientMs}`,
      MCP_SEND_TIMEOUT_MS: `${clientMs}`,
      // Longer than Deno's `fetch()` keeps an idle connection, so that it never uses a closed one.
      MCP_IDLE_TIMEOUT_MS: "120000",
    },
  });
  return {
    process,
    folder,
    tools,
    clientMs,
    stdio: await prepareStdioServers(folder, { ...env, MCP_AUDIT_FILE: `${services.audit}-stdio` }),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}

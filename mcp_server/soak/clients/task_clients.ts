import { tokenOf } from "../../testing/callers_file.ts";
import {
  connectLegacyHttp,
  connectLegacyStdio,
  type LegacyTaskClient,
} from "../../testing/legacy_task_client.ts";
import { createHttpRequest, startStdioWire, type TaskWire } from "../../testing/task_wire.ts";
import { oneAtATime } from "../waiting.ts";
import type { StdioServers } from "../server/stdio_servers.ts";
import type { CallSite } from "../tally.ts";

/** Requests of revision 2026-07-28 that declare tasks. */
export interface ModernTasks extends CallSite {
  readonly request: TaskWire["request"];
  /** Whether other callers can be named, by their tokens. */
  readonly hasCallers: boolean;
}

/** A client of revision 2025-11-25 that has tasks. */
export interface LegacyTasks extends CallSite {
  readonly connect: () => Promise<LegacyTaskClient>;
}

/** Clients that know tasks, of both eras, over HTTP and stdio; the first use of each connects it. */
export interface TaskClients extends AsyncDisposable {
  readonly modern: readonly [ModernTasks, ModernTasks];
  readonly legacy: readonly [LegacyTasks, LegacyTasks];
  /** A client of 2025-11-25 of another caller, over HTTP. */
  readonly connectOther: () => Promise<LegacyTaskClient>;
}

/** Prepares the clients. */
export function openTaskClients(url: string, stdio: StdioServers): TaskClients {
  const server = { args: [], env: stdio.env, program: stdio.program };
  const opened: Promise<AsyncDisposable>[] = [];
  const once = <Client extends AsyncDisposable>(connect: () => Promise<Client>) => {
    let client: Promise<Client> | undefined;
    return () => {
      if (client === undefined) opened.push(client = connect());
      return client;
    };
  };
  const overHttp = createHttpRequest(url);
  const wire = once(() => startStdioWire(server));
  const transport = (era: number, way: string) => `tasks of MCP ${era}, ${way}`;
  return {
    modern: [
      {
        transport: transport(2026, "HTTP"),
        server: "http",
        hasCallers: true,
        request: (method, params, options) =>
          overHttp(method, params, { token: tokenOf("worker"), ...options }),
      },
      {
        transport: transport(2026, "stdio"),
        server: "stdio",
        hasCallers: false,
        request: oneAtATime(async (...request) => (await wire()).request(...request)),
      },
    ],
    legacy: [
      {
        transport: transport(2025, "HTTP"),
        server: "http",
        connect: once(() => connectLegacyHttp(url, tokenOf("worker"))),
      },
      {
        transport: transport(2025, "stdio"),
        server: "stdio",
        connect: once(() => connectLegacyStdio(server)),
      },
    ],
    connectOther: once(() => connectLegacyHttp(url, tokenOf("other"))),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map(async (client) => await (await client)[Symbol.asyncDispose]()));
    },
  };
}

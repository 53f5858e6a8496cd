import { createHash } from "node:crypto";
import { firstOf, isSame } from "../checks.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import type { Services } from "../services.ts";
import type { CallMaker, SoakCall } from "./known_calls.ts";

/** Calls of the tools for databases and SSH, as far as this machine has them. */
export function serviceCallMakers(services: Services): CallMaker[] {
  return [
    ...databases("main", "SELECT ?1 AS a"),
    ...(services.postgres ? databases("server", "SELECT $1::text AS a") : []),
    ...(services.postgres ? [sleepingQuery, slowQuery, readSchema] : []),
    describeServer,
    ...sshMakers(services),
  ];
}

/** One batch, and several batches of several queries. */
function databases(database: string, query: string): CallMaker[] {
  const batchOf = (id: number, count: number) => ({
    database,
    queries: Array.from({ length: count }, () => query),
    params: Array.from({ length: count }, () => [`${id}`]),
  });
  return [1, 3].map((count) => (id: number) => ({
    tool: "sql-query",
    args: { batches: Array.from({ length: count }, () => batchOf(id, count)) },
    isRight: ({ results }: JsonObject) =>
      Array.isArray(results) && results.length === count &&
      results.every((batch) =>
        isJsonObject(batch) && Array.isArray(batch.results) && batch.results.length === count &&
        batch.results.every((result) => isSame(Object(result).rows, [{ a: `${id}` }]))
      ),
  }));
}

const SLEEP = "SELECT pg_sleep(600)";

function sleepingQuery(): SoakCall {
  const args = { batches: [{ database: "server", queries: [SLEEP] }] };
  return { tool: "sql-query", args, isRight: () => false, endless: true };
}

function slowQuery(): SoakCall {
  return {
    tool: "sql-query",
    args: { batches: [{ database: "server", queries: [SLEEP] }], timeoutMs: 200 },
    isRight: ({ results }) => firstOf(firstOf(results).results).success === false,
  };
}

function readSchema(): SoakCall {
  return {
    tool: "sql-schema",
    args: { database: "server", detail: "full" },
    isRight: ({ dialect, tables }) => dialect === "postgresql" && Array.isArray(tables),
  };
}

function describeServer(): SoakCall {
  return {
    tool: "server-info",
    args: {},
    isRight: ({ cwd, user, access }) =>
      typeof cwd === "string" && typeof user === "string" && isJsonObject(access),
  };
}

/** A file that every user may read, and nobody changes. */
const COPIED = "/etc/os-release";

function sha256OfCopied(): string {
  return createHash("sha256").update(Deno.readFileSync(COPIED)).digest("hex");
}

function sshMakers(
  { sshHost: host, sshUser: username, endless, folder }: Services,
): CallMaker[] {
  if (host === undefined) return [];
  const run = (commands: readonly string[], more: object = {}) => ({
    tool: "ssh-exec",
    args: { connections: [{ host, username, commands }], ...more },
  });
  return [
    () => ({
      tool: "ssh-copy",
      args: {
        direction: "down",
        from: COPIED,
        to: `${folder}/copied`,
        connections: [{ host, username }],
      },
      isRight: ({ results }) => firstOf(results).sha256 === sha256OfCopied(),
    }),
    (id) => ({
      ...run([`exec echo ${id}`]),
      isRight: ({ results }) =>
        isSame(firstOf(results).results, [
          { stdout: `${id}\n`, stderr: "", exitCode: 0, timedOut: false },
        ]),
    }),
    (id) => ({ ...run([`echo begun; ${endless}${id}`]), isRight: () => false, endless: true }),
    (id) => ({
      ...run([`${endless}${id}`], { timeoutMs: 300 }),
      isRight: ({ results }) => firstOf(firstOf(results).results).timedOut === true,
    }),
  ];
}

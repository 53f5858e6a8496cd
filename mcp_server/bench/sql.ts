import { PASSWORD, startPostgres } from "../testing/postgres.ts";
import { inTurns } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { startFloor } from "./floor/start_floor.ts";
import { Caller, toRequest } from "./load.ts";
import { start } from "./started.ts";

const QUERY = "SELECT 1";
const ROUNDS = 300;
const PSQL = "/usr/lib/postgresql/15/bin/psql";

/**
 * Compares `select 1` over HTTP with `pg` alone in a small process that does nothing else, and with
 * a new `psql` process. Starting a process slows whoever comes next, so the first two are also
 * compared without it.
 */
export async function benchSql(): Promise<Row[]> {
  await using postgres = await startPostgres();
  const url = postgres.url();
  const env = { MCP_PORT: "0", MCP_LOG_LEVEL: "error", DATABASE_URL: url };
  await using server = await start("../main.ts", [], env);
  using caller = await Caller.connect(server.url);
  const args = { batches: [{ queries: [QUERY] }] };
  const request = toRequest(server.url, "/api", { tool: "sql-query", args });
  await using pg = startFloor("./query.ts", [url, QUERY]);
  const askServer = () => caller.call(request);
  const askPg = () => pg.measure();
  const [http = NaN, alone = NaN] = await inTurns([askServer, askPg], ROUNDS);
  const [coldHttp = NaN, coldAlone = NaN, psql = NaN] = await inTurns([
    askServer,
    askPg,
    () => askPsql(postgres.port),
  ], ROUNDS);
  return [
    { what: "`select 1` with `pg` alone, in a small process", value: ms(alone) },
    {
      what: "`sql-query` of `select 1` through HTTP / `pg` alone",
      value: ms(http),
      ratio: http / alone,
      target: "at most 5",
    },
    {
      what: "... the same, each time after a new `psql` process",
      value: ms(coldHttp),
      ratio: coldHttp / coldAlone,
    },
    {
      what: "`sql-query` of `select 1` through HTTP / a new `psql` process",
      value: ms(coldHttp),
      ratio: coldHttp / psql,
    },
  ];
}

async function askPsql(port: number): Promise<void> {
  const args = [
    "-XAtq",
    "-h",
    "127.0.0.1",
    "-p",
    `${port}`,
    "-U",
    "tester",
    "postgres",
    "-c",
    QUERY,
  ];
  await new Deno.Command(PSQL, { args, env: { PGPASSWORD: PASSWORD } }).output();
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}

import { PASSWORD, startPostgres } from "../testing/postgres.ts";
import { inTurns, median } from "../../test_support/bench/in_turns.ts";
import type { Row } from "../../test_support/bench/table.ts";
import { startFloor } from "./floor/start_floor.ts";
import { Caller, toRequest } from "./load.ts";
import { start } from "./started.ts";

const QUERY = "SELECT 1";
const ROUNDS = 300;
/** How many calls are sent one right after the other, as a client does that waits for each answer. */
const IN_A_ROW = 50;
const ROWS = 20;
const PSQL = "/usr/lib/postgresql/15/bin/psql";

/**
 * Compares `select 1` over HTTP with `pg` alone in a small process that does nothing else, and with
 * a new `psql` process. Starting a process slows whoever comes next, so the first two are also
 * compared without it; and while they take turns, a connection has the time of the other one to be
 * reset, so they are compared in a row, too.
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
  const dense: number[] = [];
  const denseAlone: number[] = [];
  for (let row = 0; row < ROWS; row++) {
    denseAlone.push(...await pg.measureRow(IN_A_ROW));
    for (let call = 0; call < IN_A_ROW; call++) dense.push(await timeOf(askServer));
  }
  const [coldHttp = NaN, coldAlone = NaN, psql = NaN] = await inTurns([
    askServer,
    askPg,
    () => askPsql(postgres.port),
  ], ROUNDS);
  return [
    { what: "`select 1` with `pg` alone, in a small process", value: ms(alone) },
    {
      what: "`sql-query` of `select 1` through HTTP / `pg` alone, each in a row",
      value: ms(median(dense)),
      ratio: median(dense) / median(denseAlone),
      target: "at most 5",
    },
    {
      what: "... the same, while both take turns",
      value: ms(http),
      ratio: http / alone,
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

/** The milliseconds that one call takes. */
async function timeOf(call: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
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

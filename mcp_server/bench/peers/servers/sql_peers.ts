import type { Contender } from "./contender.ts";
import { nodeProgram } from "./local_peers.ts";
import type { Testbed } from "./testbed.ts";

const FILE = "@bytebase/dbhub/dist/index.js";
/** The time-out of a query that is to strike, in seconds. */
const SHORT_S = 5;

/** DBHub with one database; its time-out is a setting of PostgreSQL sources. */
export async function dbhub(
  testbed: Testbed,
  database: "postgres" | "sqlite",
): Promise<Contender> {
  const dsn = database === "postgres"
    ? `${testbed.postgres.url()}?sslmode=disable`
    : `sqlite://${testbed.sqlite}`;
  const name = `dbhub-${database}`;
  const args = ["--transport", "stdio", "--dsn", dsn];
  const contender: Contender = {
    name: "DBHub",
    program: await nodeProgram(testbed, name, { file: FILE, args }),
    call: (sql) => ({ name: "execute_sql", arguments: { sql } }),
  };
  if (database === "sqlite") return contender;
  const limited = await configured(testbed, `${name}-limited`, {
    source: `dsn = "${dsn}"\nquery_timeout = ${SHORT_S}`,
  });
  return {
    ...contender,
    ownStop: {
      name: "`query_timeout`",
      program: limited,
      run: async (session, work) => void await session.call(contender.call(work)),
    },
  };
}

/** DBHub that may only read. */
export async function readOnlyDbhub(testbed: Testbed): Promise<Contender> {
  return {
    name: "DBHub",
    program: await configured(testbed, "dbhub-read-only", {
      source: `dsn = "${testbed.postgres.url()}?sslmode=disable"`,
      tool: "readonly = true",
    }),
    call: (sql) => ({ name: "execute_sql", arguments: { sql } }),
  };
}

async function configured(
  testbed: Testbed,
  name: string,
  { source, tool }: { source: string; tool?: string },
) {
  const home = await testbed.home(`${name}-config`);
  const config = `${home}/dbhub.toml`;
  const toolText = tool === undefined
    ? ""
    : `[[tools]]\nname = "execute_sql"\nsource = "main"\n${tool}\n`;
  await Deno.writeTextFile(config, `[[sources]]\nid = "main"\n${source}\n\n${toolText}`);
  const args = ["--transport", "stdio", "--config", config];
  return await nodeProgram(testbed, name, { file: FILE, args });
}

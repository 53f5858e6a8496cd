import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { SqliteDatabase } from "./sqlite_database.ts";
import { loadSqlite } from "./sqlite_values.ts";

const sqlite = await loadSqlite();
const BOUNDS = { maxRows: 3, maxBytes: 1_000, rowsAs: "arrays" } as const;
const NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?1) ";

Deno.test("SqliteDatabase runs a read once, and again only if an error ended it", async () => {
  await using folder = await createTempFolder();
  const runs: string[] = [];
  class Observed extends sqlite.DatabaseSync {
    override prepare(text: string) {
      const statement = super.prepare(text);
      if (!text.startsWith("WITH query")) return statement;
      const { all, iterate } = statement;
      statement.iterate = (...values) => (runs.push("step"), iterate.apply(statement, values));
      statement.all = (...values) => (runs.push("all"), all.apply(statement, values));
      return statement;
    }
  }
  const file = { path: `${folder.path}/a.db`, readOnly: false };
  const database = new SqliteDatabase({ DatabaseSync: Observed }, file);
  const cases: [query: string, param: unknown, result: unknown][] = [
    ["SELECT ?1 AS a", "end", [["end"]]],
    ["SELECT 1 AS a WHERE ?1", 0, []],
    [`${NUMBERS} SELECT i FROM n`, 3, [[1], [2], [3]]],
    [`${NUMBERS} SELECT i FROM n`, 4, [[1], [2], [3]]],
    ["SELECT abs(value) FROM json_each(?1)", "[1,-9223372036854775808]", "integer overflow"],
  ];
  for (const [text, param, result] of cases) {
    runs.length = 0;
    const outcome = database.run({ text, params: [param] }, BOUNDS);
    deepStrictEqual(outcome.ok ? outcome.rows : outcome.error.message, result);
    deepStrictEqual(runs, outcome.ok ? ["step"] : ["step", "all"]);
    strictEqual(outcome.ok && outcome.truncated, param === 4);
  }
});

Deno.test("SqliteDatabase.reset() leaves the log of others alone after reads, and writes it back after writes", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/a.db`;
  const database = new SqliteDatabase(sqlite, { path, readOnly: false });
  const run = (text: string, ...params: unknown[]) => {
    const outcome = database.run({ text, params }, BOUNDS);
    return outcome.ok ? outcome.rows : outcome.error;
  };
  const logBytes = () => Deno.statSync(`${path}-wal`).size;
  run("CREATE TABLE t (a)");
  strictEqual(database.onlyRead, false);
  database.reset();
  deepStrictEqual([database.onlyRead, logBytes()], [true, 0]);

  const other = new sqlite.DatabaseSync(path, { readOnly: false, timeout: 0 });
  other.exec("INSERT INTO t VALUES (7)");
  const unwritten = logBytes();
  deepStrictEqual(run("SELECT a FROM t"), [[7]]);
  deepStrictEqual(run(`${NUMBERS} SELECT i FROM n, t`, 9).valueOf(), [[1], [2], [3]]);
  strictEqual(database.onlyRead, true);
  database.reset();
  strictEqual(logBytes(), unwritten);
  const [checkpoint] = other.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  deepStrictEqual({ ...checkpoint }, { busy: 0, log: 0, checkpointed: 0 });
  other.exec("INSERT INTO t VALUES (8)");
  other.close();
  const left = logBytes();
  deepStrictEqual(run("SELECT max(a) AS a FROM t"), [[8]]);
  database.reset();
  deepStrictEqual([left > 0, logBytes()], [true, left]);
  for (const text of ["PRAGMA user_version", "SAVEPOINT a", "DELETE FROM t"]) {
    run(text);
    strictEqual(database.onlyRead, false, text);
    database.reset();
    deepStrictEqual([database.onlyRead, logBytes()], [true, 0], text);
  }
});

import type { QueryOutcome } from "../sql_session.ts";
import { SqliteDatabase } from "./database.ts";
import { loadSqlite } from "./module.ts";
import { type SqliteReply, type SqliteRequest, TextLineStream } from "./protocol.ts";
import { toSqliteError } from "./values.ts";

const NOTHING: QueryOutcome = {
  ok: true,
  rows: [],
  rowCount: 0,
  truncated: false,
  bytes: 0,
  refusedBytes: 0,
};

/**
 * Serves one SQLite file over stdin and stdout, in its own process: SQLite can't be stopped during
 * a statement, but a process can, at any point and without harm to the file. Ends with stdin.
 */
export async function runSqliteWorker(): Promise<void> {
  const sqlite = await loadSqlite();
  let database: SqliteDatabase | undefined;
  const write = Deno.stdout.writable.getWriter();
  const encoder = new TextEncoder();
  for await (const line of Deno.stdin.readable.pipeThrough(new TextLineStream())) {
    const request: SqliteRequest = JSON.parse(line);
    const reply: SqliteReply = { outcome: carryOut(request), inTransaction: false };
    const inTransaction = database?.inTransaction ?? false;
    await write.write(encoder.encode(`${JSON.stringify({ ...reply, inTransaction })}\n`));
  }

  function carryOut(request: SqliteRequest): QueryOutcome {
    try {
      if ("open" in request) database = new SqliteDatabase(sqlite, request.open);
      else if ("reset" in request) database?.reset();
      else return database?.run(request.run, request.bounds) ?? NOTHING;
      return NOTHING;
    } catch (error) {
      return toSqliteError(error);
    }
  }
}

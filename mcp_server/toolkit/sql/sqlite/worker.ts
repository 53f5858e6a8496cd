import { LineReader } from "../../../shared/read_lines.ts";
import type { QueryOutcome } from "../sql_session.ts";
import { SqliteDatabase } from "./database.ts";
import { loadSqlite } from "./module.ts";
import type { SqliteReply, SqliteRequest } from "./protocol.ts";
import { toSqliteError } from "./values.ts";

const NOTHING: QueryOutcome = {
  ok: true,
  rows: [],
  rowCount: 0,
  truncated: false,
  bytes: 0,
  refusedBytes: 0,
};

/** As much as a pipe holds. */
const CHUNK_BYTES = 65_536;

/**
 * Serves one SQLite file over stdin and stdout, in its own process: SQLite can't be stopped during
 * a statement, but a process can, at any point and without harm to the file. Ends with stdin. Reads
 * and writes block, as SQLite does: nothing else runs here.
 */
export async function runSqliteWorker(): Promise<void> {
  const sqlite = await loadSqlite();
  let database: SqliteDatabase | undefined;
  for (const line of linesOfStdin()) {
    const request: SqliteRequest = JSON.parse(line);
    const outcome = carryOut(request);
    const { inTransaction = false, onlyRead = true } = database ?? {};
    const reply: SqliteReply = { outcome, inTransaction, onlyRead };
    print(`${JSON.stringify(reply)}\n`);
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

function* linesOfStdin(): Generator<string> {
  const reader = new LineReader();
  const chunk = new Uint8Array(CHUNK_BYTES);
  for (;;) {
    const count = Deno.stdin.readSync(chunk);
    if (count === null) return;
    for (const line of reader.read(chunk.slice(0, count))) yield String(line);
  }
}

function print(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let written = 0; written < bytes.length;) {
    written += Deno.stdout.writeSync(bytes.subarray(written));
  }
}

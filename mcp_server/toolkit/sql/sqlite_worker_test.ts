import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { serverCommand } from "../../testing/server_process.ts";
import { encodeFrame, FrameReader, workerCommand } from "../../shared/worker_process.ts";
import { SQLITE_WORKER } from "./sqlite_session.ts";
import type { SqliteReply, SqliteRequest } from "./sqlite_worker.ts";

Deno.test("a server that is started as a worker process serves one SQLite file until stdin ends", async () => {
  await using folder = await createTempFolder();
  const runtime = { standalone: true, execPath: "trestle-mcp" };
  const [, ...own] = workerCommand(SQLITE_WORKER, runtime);
  const { command, args } = serverCommand({ args: own });
  const child = new Deno.Command(command, { args, stdin: "piped", stdout: "piped" }).spawn();
  const bounds = { maxRows: 10, maxBytes: 1_000, rowsAs: "objects" } as const;
  const requests: SqliteRequest[] = [
    { open: { path: `${folder.path}/a.db`, readOnly: false } },
    { run: { text: "BEGIN", params: [] }, bounds },
    { reset: true },
    { run: { text: "SELECT ?1 AS a", params: ["ä"] }, bounds },
  ];
  await new Blob(requests.map(encodeFrame)).stream().pipeTo(child.stdin);
  const { code, stdout } = await child.output();
  const replies = [...new FrameReader<SqliteReply>().read(stdout)];
  strictEqual(code, 0);
  deepStrictEqual(replies.map(({ inTransaction }) => inTransaction), [false, true, false, false]);
  deepStrictEqual(replies.at(-1)?.outcome, {
    ok: true,
    columns: ["a"],
    rows: [["ä"]],
    rowCount: 1,
    truncated: false,
    bytes: 10,
    refusedBytes: 0,
  });
});

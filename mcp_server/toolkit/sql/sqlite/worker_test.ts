import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { serverCommand } from "../../../testing/server_process.ts";
import { createTempFolder } from "../../../../test_support/temp_folder.ts";
import { SQLITE_WORKER_FLAG, type SqliteReply, type SqliteRequest } from "./protocol.ts";

Deno.test("a server that is started with the worker's flag serves one SQLite file until stdin ends", async () => {
  await using folder = await createTempFolder();
  const { command, args } = serverCommand({ args: [SQLITE_WORKER_FLAG] });
  const child = new Deno.Command(command, { args, stdin: "piped", stdout: "piped" }).spawn();
  const bounds = { maxRows: 10, maxBytes: 1_000 };
  const requests: SqliteRequest[] = [
    { open: { path: `${folder.path}/a.db`, readOnly: false } },
    { run: { text: "BEGIN", params: [] }, bounds },
    { reset: true },
    { run: { text: "SELECT ?1 AS a", params: ["ä"] }, bounds },
  ];
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  await new Blob([input]).stream().pipeTo(child.stdin);
  const { code, stdout } = await child.output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  const replies = lines.map((line): SqliteReply => JSON.parse(line));
  strictEqual(code, 0);
  deepStrictEqual(replies.map(({ inTransaction }) => inTransaction), [false, true, false, false]);
  deepStrictEqual(replies.at(-1)?.outcome, {
    ok: true,
    rows: [{ a: "ä" }],
    rowCount: 1,
    truncated: false,
    bytes: 10,
    refusedBytes: 0,
  });
});

import { strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { childrenOf } from "../../testing/processes.ts";
import { createSchemaReader, createSqlService } from "../../toolkit.ts";

const ignore = () => {};
const LOG = { debug: ignore, info: ignore, warn: ignore, error: ignore };

Deno.test("the tools of a server share their connections, which end with the last of them", async () => {
  await using folder = await createTempFolder();
  const ends: (() => void | Promise<void>)[] = [];
  const env: Record<string, string> = {
    MCP_DATA_DIR: folder.path,
    HOME: Deno.env.get("HOME") ?? "",
  };
  const context = {
    env: (name: string) => env[name],
    envNames: Object.keys(env),
    log: LOG,
    limits: defaultLimits(2),
    onShutdown: (end: () => void | Promise<void>) => void ends.push(end),
  };
  const before = await childrenOf(Deno.pid);
  const opened = async () => (await childrenOf(Deno.pid)).length - before.length;
  const { signal } = new AbortController();
  const sql = createSqlService(context);
  const readSchema = createSchemaReader(context);
  await sql.run([{ queries: ["CREATE TABLE t (a)"] }], { signal });
  await sql.run([{ queries: ["SELECT 1"], readOnly: true }], { signal });
  strictEqual(await opened(), 2);
  strictEqual((await readSchema({}, { signal })).tables.length, 1);
  strictEqual(await opened(), 2);
  const [first, second] = ends;
  await first?.();
  strictEqual((await readSchema({}, { signal })).tables.length, 1);
  await second?.();
  strictEqual(await opened(), 0);
});

import { deepStrictEqual } from "node:assert/strict";
import { SETTINGS } from "../mcp_server/settings/settings.ts";
import { ROOT } from "../test_support/root.ts";

Deno.test("mcp_server/docs/settings.md lists every setting with its flag, and no others", async () => {
  const page = await Deno.readTextFile(`${ROOT}/mcp_server/docs/settings.md`);
  const rows = [...page.matchAll(/^\| `((?:MCP|DATABASE)_[\w<>]+)` +\| (?:`--([\w-]+)`)? *\|/gm)];
  const byName = (a: string, b: string) => a < b ? -1 : 1;
  deepStrictEqual(
    rows.map(([, env, flag]) => `${env} ${flag}`).sort(byName),
    SETTINGS.map(({ env, flag }) => `${env} ${flag}`).sort(byName),
  );
});

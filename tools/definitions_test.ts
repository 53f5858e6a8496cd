import { strictEqual } from "node:assert/strict";
import { createApp, DEFAULT_CALLER, parseConfig } from "../mcp_server/mod.ts";
import { ROOT } from "../test_support/root.ts";
import { compareSnapshot } from "../test_support/snapshot.ts";

const app = await createApp(parseConfig(["--log-level", "error"], {}, 2));
const definitions = await app.service.list(DEFAULT_CALLER);

Deno.test("the definitions of the tools match the snapshot", async () => {
  const text = `${JSON.stringify(definitions, null, 2)}\n`;
  await compareSnapshot(`${ROOT}/mcp_server/testdata/tool_definitions.json`, text);
});

Deno.test("the definitions of all tools take less than 24 KiB, without icons", () => {
  const tools = definitions.map(({ icons: _, ...tool }) => tool);
  strictEqual(JSON.stringify({ tools }).length < 24 * 1024, true);
});

Deno.test("the definition of sql-query takes at most 1,500 bytes", () => {
  const { icons: _, ...definition } = definitions.find(({ name }) => name === "sql-query") ?? {};
  strictEqual(JSON.stringify(definition).length <= 1_500, true);
});

Deno.test("each tool declares its title, all hints, an icon, and the shape of its output", () => {
  for (const { name, title, icons, annotations = {}, outputSchema } of definitions) {
    const { title: label, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } =
      annotations;
    strictEqual(label, title, name);
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) {
      strictEqual(typeof hint, "boolean", name);
    }
    strictEqual(outputSchema?.type, "object", name);
    strictEqual(icons?.[0]?.src.startsWith("data:image/svg+xml,"), true, name);
  }
});

import { strictEqual } from "node:assert/strict";
import { createApp, DEFAULT_CALLER, parseConfig } from "../mcp_server/mod.ts";
import { ROOT } from "../test_support/root.ts";
import { compareSnapshot } from "../test_support/snapshot.ts";

const app = await createApp(parseConfig(["--log-level", "error"], {}, 2));
const definitions = app.service.list(DEFAULT_CALLER);

Deno.test("the definitions of the tools match the snapshot", async () => {
  const text = `${JSON.stringify(definitions, null, 2)}\n`;
  await compareSnapshot(`${ROOT}/mcp_server/testdata/tool_definitions.json`, text);
});

Deno.test("a client gets the definitions of all tools in less than 24 KiB", () => {
  strictEqual(JSON.stringify({ tools: definitions }).length < 24 * 1024, true);
});

Deno.test("the definition of sql-query takes at most 1,500 bytes", () => {
  const definition = definitions.find(({ name }) => name === "sql-query");
  strictEqual(JSON.stringify(definition).length <= 1_500, true);
});

Deno.test("each tool declares its title, all hints, and the shape of its output", () => {
  for (const { name, title, annotations = {}, outputSchema } of definitions) {
    const { title: label, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } =
      annotations;
    strictEqual(label, title, name);
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint]) {
      strictEqual(typeof hint, "boolean", name);
    }
    strictEqual(outputSchema?.type, "object", name);
  }
});

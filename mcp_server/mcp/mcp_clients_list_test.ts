import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../testing/built_in_tools.ts";
import { testWithEveryClient } from "../testing/mcp_clients.ts";

/** How much of a model's context the list may take. */
const MOST_BYTES = 24 * 1024;

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

testWithEveryClient({
  name: "tools/list",
  cases: [
    {
      name: "tools/list has a fixed order and stays small",
      fn: async (peer) => {
        const list = await peer.listTools();
        deepStrictEqual(list.tools.map(({ name }) => name), BUILT_IN_TOOLS);
        const tools = list.tools.map(({ icons: _, ...tool }) => tool);
        const bytes = new TextEncoder().encode(JSON.stringify({ ...list, tools })).length;
        ok(bytes < MOST_BYTES, `the list takes ${bytes} bytes`);
      },
    },
    {
      name: "tools/list describes each tool fully",
      fn: async (peer) => {
        const { tools } = await peer.listTools();
        for (const tool of tools) {
          const { name, title, description, annotations, inputSchema, outputSchema, icons } = tool;
          ok(title && description && icons?.length === 1, name);
          strictEqual(annotations?.title, title, name);
          for (const hint of HINTS) strictEqual(typeof annotations?.[hint], "boolean", name);
          strictEqual(outputSchema?.type, "object", name);
          ok(Object.keys(outputSchema?.properties ?? {}).length > 0, name);
          strictEqual(inputSchema.type, "object", name);
          strictEqual(inputSchema.additionalProperties, false, name);
        }
      },
    },
  ],
});

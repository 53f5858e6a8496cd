import { ok, strictEqual } from "node:assert/strict";
import { boundedCaller } from "../mcp_server/testing/bounded_caller.ts";
import { callTool, type CallToolOptions } from "../mcp_server/testing/call_tool.ts";
import { requires } from "../test_support/services.ts";
import searchFiles from "./search-files.ts";

/** How many processes of ripgrep search for a text. */
function programsFor(text: string): number {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => {
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`);
      return /^[^\0]*\brg\0/.test(line) && line.includes(text);
    } catch {
      return false;
    }
  }).length;
}

async function until(isSo: () => boolean): Promise<void> {
  for (const late = performance.now() + 30_000; !isSo();) {
    ok(performance.now() < late, "it does not come about");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

Deno.test({
  ...requires(
    "ripgrep",
    "search-files has ripgrep help with a long search, and ends it with the call",
  ),
  fn: async () => {
    const search = (options: CallToolOptions) => {
      const pattern = `n${crypto.randomUUID().replaceAll("-", "")}`;
      const stop = new AbortController();
      const { signal } = stop;
      const args = { path: "/usr", pattern, all: true };
      const call = callTool(searchFiles, "search-files", args, { ...options, signal });
      return { pattern, stop, call };
    };
    const bounded = search({ caller: boundedCaller({ paths: ["/usr/**"] }) });
    let seen = 0;
    for (let turn = 0; turn < 2; turn++) {
      const { pattern, stop, call } = search({});
      await until(() => programsFor(pattern) === 1);
      seen += programsFor(bounded.pattern);
      stop.abort();
      strictEqual((await call).ok, false);
      await until(() => programsFor(pattern) === 0);
    }
    bounded.stop.abort();
    await bounded.call;
    strictEqual(seen, 0);
  },
});

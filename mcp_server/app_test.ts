import { deepStrictEqual, rejects } from "node:assert/strict";
import { createTempFolder } from "../test_support/temp_folder.ts";
import { ConfigError, createApp, parseConfig } from "./mod.ts";
import { childrenOf } from "./testing/processes.ts";

/** A tool that says in a file that its shutdown hook has run. */
const TOOL = `
export default ({ mcpServer, toolName, env, onShutdown }) => {
  onShutdown(() => Deno.writeTextFile(env("HOOK_FILE"), "ran"));
  mcpServer.tool(toolName, () => ({ content: [] }));
};
`;

/** The open files of this process. */
function descriptors(): string[] {
  const paths = [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
    try {
      return [Deno.readLinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return [];
    }
  });
  return paths.filter((path) => path.startsWith("/")).sort();
}

const CASES: readonly (readonly [what: string, settings: object, error: RegExp, hooks: string])[] =
  [
    ["callers file", { MCP_CALLERS_FILE: "/missing" }, /^Cannot use MCP_CALLERS_FILE/, ""],
    ["tools folder", { MCP_TOOLS_DIR: "/missing" }, /^Cannot use MCP_TOOLS_DIR/, ""],
    ["data folder", { MCP_DATA_DIR: "/dev/null" }, /^Cannot use MCP_DATA_DIR/, "ran"],
  ];

for (const [what, settings, error, hooks] of CASES) {
  Deno.test({
    name: `createApp() without its ${what} closes what it has opened`,
    sanitizeOps: true,
    sanitizeResources: true,
    async fn() {
      await using folder = await createTempFolder();
      const [tools, callers, hook] = ["tools", "callers.json", "hook"].map((name) =>
        `${folder.path}/${name}`
      );
      await Deno.mkdir(`${tools}`);
      await Deno.writeTextFile(`${tools}/one.js`, TOOL);
      await Deno.writeTextFile(`${callers}`, '{"callers":{}}', { mode: 0o600 });
      await Deno.writeTextFile(`${hook}`, "");
      const config = parseConfig([], {
        PATH: "/usr/bin:/bin",
        HOOK_FILE: `${hook}`,
        MCP_TOOLS_DIR: `${tools}`,
        MCP_WATCH_TOOLS: "1",
        MCP_CALLERS_FILE: `${callers}`,
        MCP_AUDIT_FILE: `${folder.path}/audit`,
        MCP_LOG_LEVEL: "error",
        ...settings,
      }, 2);
      const [open, children] = [descriptors(), await childrenOf(Deno.pid)];
      await rejects(createApp(config, { builtInTools: false }), (thrown) => {
        return thrown instanceof ConfigError && error.test(thrown.message);
      });
      deepStrictEqual(descriptors(), open);
      deepStrictEqual(await childrenOf(Deno.pid), children);
      deepStrictEqual(await Deno.readTextFile(`${hook}`), hooks);
    },
  });
}

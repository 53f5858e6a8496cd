import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { requires } from "../test_support/services/requires.ts";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import register from "./java-script.ts";

const { output, refusal } = realTool(register, "java-script");

const ESM = 'import { sep } from "node:path"; console.log(sep, await Promise.resolve(1));';
const COMMON_JS = 'const { sep } = require("node:path"); console.log(sep, process.argv.length);';

async function runsBothKinds(runtime: string): Promise<void> {
  const env = { ...Deno.env.toObject(), MCP_JS_RUNTIME: runtime };
  const esm = await output({ script: ESM }, { env });
  deepStrictEqual([esm.stdout, esm.exitCode], ["/ 1\n", 0], String(esm.stderr));
  const common = await output({ script: COMMON_JS }, { env });
  deepStrictEqual([common.stdout, common.exitCode], ["/ 2\n", 0], String(common.stderr));
}

Deno.test({
  ...requires("node", "java-script runs modules and CommonJS with Node.js"),
  fn: () => runsBothKinds("node"),
});

Deno.test("java-script runs modules and CommonJS with Deno", () => runsBothKinds(Deno.execPath()));

Deno.test({
  ...requires("node", "java-script takes the first runtime on PATH where none is set"),
  fn: async () => {
    const script = "process.stdin.on('data', (data) => console.log(String(data).length));";
    const { stdout } = await output({ script, stdin: "12345" });
    strictEqual(stdout, "5\n");
  },
});

Deno.test("java-script says what to install where there is no runtime", async () => {
  const { code, message } = await refusal({ script: "1" }, { env: { PATH: "/nowhere" } });
  strictEqual(code, "INTERPRETER_MISSING");
  match(message, /no node or deno or bun on the server's PATH; install it with: .*MCP_JS_RUNTIME/);
});

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { realTool } from "../mcp_server/testing/run_tool.ts";
import { requires } from "../test_support/services.ts";
import { createTempFolder, type TempFolder } from "../test_support/temp_folder.ts";
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

/** A temporary folder that all may write to, with what another user may have put there. */
async function createPlantedFolder(): Promise<TempFolder> {
  const folder = await createTempFolder();
  await Deno.chmod(folder.path, 0o1777);
  const files = {
    "node_modules/planted/index.js": 'module.exports = "PLANTED";',
    "node_modules/planted/package.json": '{"name": "planted"}',
    "package.json": '{"type": "module", "imports": {"#planted": "./planted.js"}}',
    "planted.js": 'export default "PLANTED"; export const sep = "PLANTED";',
    "deno.json": '{"imports": {"planted": "./planted.js", "node:path": "./planted.js"}}',
  };
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${folder.path}/${name}/..`.replace(/[^/]+\/\.\.$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder.path}/${name}`, text);
  }
  return folder;
}

const TRIES = `["planted", "#planted"].map((name) => import(name).then(
  (module) => console.log("LOADED", name, module), () => console.log("nothing")));
const { createRequire } = process.getBuiltinModule("node:module");`;
const PLANTED_ESM = `import { sep } from "node:path";\n${TRIES}
try { console.log("LOADED", createRequire(import.meta.url)("planted")) } catch { console.log(sep) }`;
const PLANTED_COMMON_JS = `${TRIES}
for (const load of [require, createRequire(__filename)]) {
  try { console.log("LOADED", load("planted")) } catch { console.log(require("node:path").sep) }
}`;

async function loadsNothingPlanted(runtime: string): Promise<void> {
  await using folder = await createPlantedFolder();
  const env = { ...Deno.env.toObject(), MCP_JS_RUNTIME: runtime, TMPDIR: folder.path };
  for (const cwd of ["/", folder.path]) {
    const esm = await output({ script: PLANTED_ESM, cwd }, { env });
    deepStrictEqual([esm.stderr, sorted(esm.stdout)], ["", ["/", "nothing", "nothing"]]);
    const common = await output({ script: PLANTED_COMMON_JS, cwd }, { env });
    deepStrictEqual([common.stderr, sorted(common.stdout)], ["", ["/", "/", "nothing", "nothing"]]);
  }
}

function sorted(stdout: unknown): string[] {
  return String(stdout).trimEnd().split("\n").sort();
}

Deno.test({
  ...requires("node", "java-script loads nothing with Node.js that lies above the script"),
  fn: () => loadsNothingPlanted("node"),
});

Deno.test(
  "java-script loads nothing with Deno that lies above the script",
  () => loadsNothingPlanted(Deno.execPath()),
);

Deno.test("java-script does not run Bun where other users can write above the script", async () => {
  await using folder = await createPlantedFolder();
  const bun = `${folder.path}/bun`;
  await Deno.writeTextFile(bun, "#!/bin/sh\necho bun", { mode: 0o755 });
  const env = { ...Deno.env.toObject(), MCP_JS_RUNTIME: bun, TMPDIR: folder.path };
  const { code, message } = await refusal({ script: "1" }, { env });
  strictEqual(code, "TEMP_FOLDER_SHARED");
  match(message, /other users can write to "[^"]+", .*; set TMPDIR to a private folder$/);
});

Deno.test({
  ...requires("node", "java-script forks itself and names its own file with Node.js"),
  fn: async () => {
    const script = `const { fork } = require("node:child_process");
if (process.argv[2]) process.send(require.main === module);
else fork(__filename, ["child"]).on("message", (message) => console.log(message));`;
    const env = { ...Deno.env.toObject(), MCP_JS_RUNTIME: "node" };
    const { stdout, stderr } = await output({ script }, { env });
    deepStrictEqual([stdout, stderr], ["true\n", ""]);
  },
});

import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { findBun } from "../mcp_server/testing/bun.ts";
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
  ...requires("node", "java-script uses the first runtime on PATH if none is set"),
  fn: async () => {
    const script = "process.stdin.on('data', (data) => console.log(String(data).length));";
    const { stdout } = await output({ script, stdin: "12345" });
    strictEqual(stdout, "5\n");
  },
});

Deno.test("java-script reports what to install if there is no runtime", async () => {
  const { code, message } = await refusal({ script: "1" }, { env: { PATH: "/nowhere" } });
  strictEqual(code, "INTERPRETER_MISSING");
  match(message, /no node or deno or bun on the server's PATH; install it with: .*MCP_JS_RUNTIME/);
});

/** A world-writable temporary folder, with files that another user may have put there. */
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

type Places = Readonly<Record<string, string>>;

async function loadsNothingPlanted(runtime: string, places: Places = {}): Promise<void> {
  await using folder = await createPlantedFolder();
  const further = { MCP_JS_RUNTIME: runtime, TMPDIR: folder.path, ...places };
  const env = { ...Deno.env.toObject(), ...further };
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
  ...requires("node", "java-script loads nothing from folders above the script with Node.js"),
  fn: () => loadsNothingPlanted("node"),
});

Deno.test(
  "java-script loads nothing from folders above the script with Deno",
  () => loadsNothingPlanted(Deno.execPath()),
);

Deno.test("java-script does not run Bun if other users can write above every folder", async () => {
  await using folder = await createPlantedFolder();
  const bun = `${folder.path}/bun`;
  await Deno.writeTextFile(bun, "#!/bin/sh\necho bun", { mode: 0o755 });
  const shared = { TMPDIR: folder.path, XDG_RUNTIME_DIR: folder.path, HOME: folder.path };
  const env = { PATH: "/usr/bin:/bin", MCP_JS_RUNTIME: bun, ...shared };
  const { code, message } = await refusal({ script: "1" }, { env });
  strictEqual(code, "TEMP_FOLDER_SHARED");
  match(message, /other users can write to "[^"]+", .*; set TMPDIR to a private folder$/);
});

/** A folder that no other user can write to, nor to any folder above it, like a home folder. */
async function createPrivateFolder(): Promise<TempFolder> {
  const dir = `${Deno.env.get("HOME")}/.cache`;
  await Deno.mkdir(dir, { recursive: true });
  const path = await Deno.makeTempDir({ dir });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

Deno.test("java-script loads nothing from folders above the script with Bun", async (t) => {
  const bun = await findBun();
  await using shared = await createPlantedFolder();
  await using runtime = await createPrivateFolder();
  await using home = await createPrivateFolder();
  const cache = `${home.path}/.cache/trestle`;

  await t.step("if XDG_RUNTIME_DIR is private", async () => {
    await loadsNothingPlanted(bun, { XDG_RUNTIME_DIR: runtime.path, HOME: "" });
    deepStrictEqual([...Deno.readDirSync(runtime.path)], []);
  });

  await t.step("if only the home folder is private", async () => {
    const places = { XDG_RUNTIME_DIR: shared.path, XDG_CACHE_HOME: "", HOME: home.path };
    await loadsNothingPlanted(bun, places);
    deepStrictEqual([...Deno.readDirSync(cache)], []);
    strictEqual((await Deno.stat(cache)).mode! & 0o777, 0o700);
  });
});

Deno.test({
  ...requires("node", "java-script can fork itself and knows its own file with Node.js"),
  fn: async () => {
    const script = `const { fork } = require("node:child_process");
if (process.argv[2]) process.send(require.main === module);
else fork(__filename, ["child"]).on("message", (message) => console.log(message));`;
    const env = { ...Deno.env.toObject(), MCP_JS_RUNTIME: "node" };
    const { stdout, stderr } = await output({ script }, { env });
    deepStrictEqual([stdout, stderr], ["true\n", ""]);
  },
});

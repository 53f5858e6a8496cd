import { strictEqual } from "node:assert/strict";

const HERE = new URL(".", import.meta.url);
const ROOT = new URL("../deno.json", HERE);
const SELF = "graphql_16_test.ts";

/** Folders with nothing that a second version of graphql could change, and tests with a browser. */
const LEFT_OUT = /^(bench|examples)$|_browser_test\.ts$|^graphiql_page_test\.ts$/;

async function copyFolder(from: URL, to: URL): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (LEFT_OUT.test(name) || name === SELF || name === "deno.json") continue;
    const source = new URL(isDirectory ? `${name}/` : name, from);
    const target = new URL(isDirectory ? `${name}/` : name, to);
    if (isDirectory) await copyFolder(source, target);
    else await Deno.copyFile(source, target);
  }
}

/** The settings of the repository, with the older graphql. */
async function writeConfig(folder: URL): Promise<void> {
  const { imports, unstable, compilerOptions } = JSON.parse(await Deno.readTextFile(ROOT));
  const older = {
    ...imports,
    "graphql": "npm:graphql@^16.9.0",
    "@trestle/mirage-graphql": "./mod.ts",
  };
  const config = { imports: older, unstable, compilerOptions, nodeModulesDir: "none", lock: false };
  await Deno.writeTextFile(new URL("deno.json", folder), JSON.stringify(config));
}

async function run(folder: URL, ...args: string[]): Promise<{ ok: boolean; text: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { ok: success, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("types and tests hold on graphql 16 too", async () => {
  const folder = new URL(`file://${await Deno.makeTempDir({ prefix: "graphql_16_" })}/`);
  try {
    await copyFolder(HERE, folder);
    await writeConfig(folder);
    const version = await run(
      folder,
      "eval",
      'import { version } from "graphql"; console.log(version)',
    );
    strictEqual(version.text.split(".")[0], "16");
    const { ok, text } = await run(folder, "test", "-A");
    strictEqual(ok, true, text.slice(-5000));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

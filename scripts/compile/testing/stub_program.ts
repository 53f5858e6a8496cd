import { dirname } from "node:path/posix";
import * as z from "zod";
import { ROOT } from "../../../test_support/root.ts";
import type { EmbeddedTree } from "./embedded_tree.ts";

/** A program that behaves like a compiled one, as far as possible without its base program. */
export interface StubProgram {
  readonly path: string;
  /** The environment it needs. */
  readonly env: Readonly<Record<string, string>>;
}

const Manifest = z.object({
  imports: z.record(z.string(), z.string()),
  unstable: z.array(z.string()),
});

/** An unreachable registry: everything needed must be embedded. */
const REGISTRY = "packages.test";

/** What follows the name in the path of a package's file. */
const VERSION = /\/\d+\.\d+\.\d+[^/]*\/.*$/;
const NPM = /^\.deno_compile_node_modules\/[^/]+\//;

/**
 * Writes the embedded files to a folder, and nothing else, with a program that runs them: `deno` is
 * hidden in it, and what code checks to recognize a compiled program is set accordingly.
 */
export async function createStubProgram(tree: EmbeddedTree, folder: string): Promise<StubProgram> {
  for (const [path, content] of tree.files) {
    const target = NPM.test(path) ? `deno/npm/${REGISTRY}/${path.replace(NPM, "")}` : `app/${path}`;
    await write(`${folder}/${target}`, content);
  }
  await write(`${folder}/app/deno.json`, JSON.stringify(await manifestFor(tree)));
  await write(`${folder}/app/.npmrc`, `registry=https://${REGISTRY}/\n`);
  await write(`${folder}/app/deno.lock`, await Deno.readFile(`${ROOT}/deno.lock`));
  const path = `${folder}/trestle-mcp`;
  await write(`${folder}/facts.ts`, factsOf(path));
  await write(path, scriptOf(tree, folder));
  await Deno.chmod(path, 0o755);
  return {
    path,
    env: { DENO_DIR: `${folder}/deno`, NPM_CONFIG_REGISTRY: `https://${REGISTRY}` },
  };
}

/** The repository's own manifest, reduced to the embedded packages. */
async function manifestFor(tree: EmbeddedTree): Promise<object> {
  const { imports, unstable } = Manifest.parse(
    JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)),
  );
  const packages = new Set(
    [...tree.files.keys()].map((path) => path.replace(NPM, "").replace(VERSION, "")),
  );
  return {
    imports: Object.fromEntries(Object.entries(imports).filter(([name]) => packages.has(name))),
    unstable,
    nodeModulesDir: "none",
    workspace: ["./mcp_server"],
  };
}

function factsOf(path: string): string {
  return `Object.defineProperty(Deno, "build", { value: { ...Deno.build, standalone: true } });
Object.defineProperty(Deno, "execPath", { value: () => ${JSON.stringify(path)} });
`;
}

function scriptOf({ metadata }: EmbeddedTree, folder: string): string {
  const permissions = Object.entries(metadata.permissions)
    .filter(([name, places]) => name !== "allow_import" && /^allow/.test(name) && places !== null)
    .map(([name]) => `--${name.replace("_", "-")}`);
  const words = ["--quiet", "--no-check", "--cached-only", "--no-prompt", ...permissions];
  return `#!/bin/sh
# The program deno offers itself as node where there is none; a compiled one does not.
export DENO_DISABLE_NODE_SHIM=1
exec "${Deno.execPath()}" run ${words.join(" ")} --preload="${folder}/facts.ts" \\
  "${folder}/app/${metadata.entrypoint_key}" "$@"
`;
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  if (typeof content === "string") await Deno.writeTextFile(path, content);
  else await Deno.writeFile(path, content);
}

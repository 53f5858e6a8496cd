import { ROOT } from "../../../test_support/root.ts";
import type { TempFolder } from "../../../test_support/temp_folder.ts";
import { createRepository } from "../../testing/create_repository.ts";
import type { NpmTarget } from "../package_manifest.ts";

/** How the member of the workspace below is published. */
export const FIXTURE_TARGET: NpmTarget = {
  folder: "box",
  keywords: ["box"],
  peers: { graphql: { range: "^16 || ^17" } },
  nodeExports: ["./serve"],
  programs: { "trestle-box": "bin" },
};

const FILES: Readonly<Record<string, string | object>> = {
  LICENSE: "MIT License\n",
  "box/deno.json": {
    name: "@trestle-test/box",
    version: "1.2.3",
    license: "MIT",
    exports: { ".": "./mod.ts", "./core": "./src/core.ts", "./serve": "./serve.ts" },
  },
  "box/README.md":
    "# @trestle-test/box\n\nOpens any [box](https://box.test)\nat all. And more.\n\n## Use\n",
  "box/CHANGELOG.md": "# Changelog\n\n## 1.2.3\n",
  "box/MIGRATION.md": "# From crates\n",
  "box/docs/use.md": "# Use\n",
  "box/testing/notes.md": "# Notes\n",
  "box/mod.ts": `export * from "./src/core.ts";
export { later } from "./src/later.ts";
`,
  "box/src/core.ts": `import { parse } from "graphql";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";

/** What a box takes. */
export type Wrapped = TypedDocumentNode<string>;

/** Opens a box. */
export function open(text: string): number {
  return parse(text).definitions.length;
}
`,
  "box/src/later.ts": `/** Opens a box later. */
export async function later(text: string): Promise<number> {
  const { open } = await import("./core.ts");
  return open(text);
}
`,
  "box/src/core_test.ts":
    `import { open } from "./core.ts";\nDeno.test("open()", () => void open);\n`,
  "box/serve.ts": `import process from "node:process";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { open } from "./src/core.ts";

/** Whether the socket of a box is open. */
export const isOpen = open(process.version) === WebSocket.OPEN;
`,
  "box/bin.ts": `#!/usr/bin/env node
import { isOpen } from "./serve.ts";

console.log(isOpen);
`,
};

/** Files by path: their text, a value that becomes JSON, or `null` to leave a file out. */
export type FixtureFiles = Readonly<Record<string, string | object | null>>;

/**
 * Writes a workspace of one member with everything that the build must handle; `files` override it.
 */
export async function createFixtureWorkspace(
  files: FixtureFiles = {},
): Promise<TempFolder> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const manifest = { workspace: ["./box"], imports, nodeModulesDir: "none" };
  const lock = await Deno.readTextFile(`${ROOT}/deno.lock`);
  const all = { "deno.json": manifest, "deno.lock": lock, ...FILES, ...files };
  return await createRepository(Object.fromEntries(
    Object.entries(all).flatMap(([path, content]) => content === null ? [] : [[path, content]]),
  ));
}

/** Lists the files of a folder, in order. */
export async function listTree(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) paths.push(...await listTree(`${folder}/${name}`, `${prefix}${name}/`));
    else paths.push(prefix + name);
  }
  return paths.sort();
}

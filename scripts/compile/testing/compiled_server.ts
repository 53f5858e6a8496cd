import { relative } from "node:path/posix";
import { ROOT } from "../../../test_support/root.ts";
import { sharedFolder } from "../../../test_support/shared_folder.ts";
import type { TempFolder } from "../../../test_support/temp_folder.ts";
import { compileServer } from "../compile_server.ts";
import { type EmbeddedTree, readEmbeddedTree } from "./embedded_tree.ts";

/** Any program of this machine: what is embedded does not depend on the base program. */
export const ANY_PROGRAM = "/bin/true";

/** A server compiled onto a program that does nothing, which tests only read. */
export interface CompiledServer extends AsyncDisposable {
  readonly folder: TempFolder;
  /** Names of the programs. */
  readonly made: readonly string[];
  readonly tree: EmbeddedTree;
}

/** The file with the paths that the compilation has returned. */
const MADE = "made.json";

/** Compiles the server, unless a test of the same run has done so. */
export async function createCompiledServer(): Promise<CompiledServer> {
  const folder = await sharedFolder("compiled_server", async (path) => {
    const made = await compileServer({
      root: ROOT,
      folder: path,
      architectures: ["x86_64", "aarch64"],
      basePath: ANY_PROGRAM,
    });
    const names = made.map((program) => relative(path, program));
    await Deno.writeTextFile(`${path}/${MADE}`, JSON.stringify(names));
  });
  const made: string[] = JSON.parse(await Deno.readTextFile(`${folder.path}/${MADE}`));
  const tree = readEmbeddedTree(await Deno.readFile(`${folder.path}/trestle-mcp`));
  return { folder, made, tree, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

import { createTempFolder, type TempFolder } from "../../../test_support/temp_folder.ts";
import { ROOT } from "../../../test_support/root.ts";
import { compileServer } from "../compile_server.ts";
import { type EmbeddedTree, readEmbeddedTree } from "./embedded_tree.ts";

/** Any program of this machine: what is embedded does not depend on the base program. */
export const ANY_PROGRAM = "/bin/true";

/** A server compiled onto a program that does nothing. */
export interface CompiledServer extends AsyncDisposable {
  readonly folder: TempFolder;
  /** Paths of the programs. */
  readonly made: readonly string[];
  readonly tree: EmbeddedTree;
}

/** Compiles the server into a temporary folder. */
export async function createCompiledServer(): Promise<CompiledServer> {
  const folder = await createTempFolder();
  const made = await compileServer({
    root: ROOT,
    folder: folder.path,
    architectures: ["x86_64", "aarch64"],
    basePath: ANY_PROGRAM,
  });
  const tree = readEmbeddedTree(await Deno.readFile(`${folder.path}/trestle-mcp`));
  return { folder, made, tree, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

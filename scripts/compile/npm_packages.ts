import { packagesOf, readModuleGraph } from "../module_graph.ts";

/** A package of the npm registry, as Deno keeps it. */
export interface NpmPackage {
  /** Folder of its files. */
  readonly folder: string;
  /** Paths of its files in that folder. */
  readonly files: readonly string[];
}

/** Lists the packages that some files of the repository import, and all that those depend on. */
export async function readNpmPackages(
  root: string,
  entries: readonly string[],
): Promise<NpmPackage[]> {
  const packages = packagesOf(await readModuleGraph(root, entries));
  const folders = Object.values(packages).map(({ localPath }) => localPath);
  return await Promise.all(
    folders.map(async (folder) => ({ folder, files: await listFiles(folder) })),
  );
}

async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const files: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) files.push(...await listFiles(`${folder}/${name}`, `${prefix}${name}/`));
      else files.push(prefix + name);
    }
  } catch (error) {
    // A package for another system is known, but not there.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files;
}

import { pathToFileURL } from "node:url";
import * as z from "zod";

/** A package of the npm registry, as Deno keeps it. */
export interface NpmPackage {
  /** Folder of its files. */
  readonly folder: string;
  /** Paths of its files in that folder. */
  readonly files: readonly string[];
}

const Graph = z.object({
  modules: z.array(z.object({ npmPackage: z.string().optional() })),
  npmPackages: z.record(
    z.string(),
    z.object({ localPath: z.string(), dependencies: z.array(z.string()) }),
  ),
});

/** Lists the packages that some files of the repository import, and all that those depend on. */
export async function readNpmPackages(
  root: string,
  entries: readonly string[],
): Promise<NpmPackage[]> {
  const { modules, npmPackages } = await readGraph(root, entries);
  const found = new Set(modules.flatMap(({ npmPackage }) => npmPackage ?? []));
  for (const id of found) npmPackages[id]?.dependencies.forEach((other) => found.add(other));
  const folders = [...found].flatMap((id) => npmPackages[id]?.localPath ?? []);
  return await Promise.all(
    folders.map(async (folder) => ({ folder, files: await listFiles(folder) })),
  );
}

async function readGraph(
  root: string,
  entries: readonly string[],
): Promise<z.output<typeof Graph>> {
  const urls = entries.map((entry) => pathToFileURL(`${root}/${entry}`).href);
  const imports = urls.map((url) => `import ${JSON.stringify(url)};`).join("");
  const entry = `data:application/typescript,${encodeURIComponent(imports)}`;
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json", entry], cwd: root });
  const { success, stdout, stderr } = await info.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot list the packages: ${decoder.decode(stderr)}`);
  return Graph.parse(JSON.parse(decoder.decode(stdout)));
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

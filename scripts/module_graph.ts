import { pathToFileURL } from "node:url";
import * as z from "zod";

const Target = z.object({ specifier: z.string().optional() });

const Graph = z.object({
  modules: z.array(z.object({
    specifier: z.string(),
    npmPackage: z.string().optional(),
    dependencies: z.array(z.object({
      specifier: z.string(),
      code: Target.optional(),
      type: Target.optional(),
    })).default([]),
  })),
  npmPackages: z.record(
    z.string(),
    z.object({ name: z.string(), localPath: z.string(), dependencies: z.array(z.string()) }),
  ),
});

/** Every module that some files reach, types included, and the packages of npm that there are. */
export type ModuleGraph = z.output<typeof Graph>;

/** Reads what files of a folder import; Deno resolves it, the import map of the folder included. */
export async function readModuleGraph(
  root: string,
  files: readonly string[],
): Promise<ModuleGraph> {
  const folder = folderUrl(root);
  const imports = files.map((file) => `import ${JSON.stringify(new URL(file, folder).href)};`);
  const entry = `data:application/typescript,${encodeURIComponent(imports.join(""))}`;
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json", entry], cwd: root });
  const { success, stdout, stderr } = await info.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the imports: ${decoder.decode(stderr)}`);
  return Graph.parse(JSON.parse(decoder.decode(stdout)));
}

/** The path of a module from a folder, or `undefined` for one that is not in it. */
export function pathIn(root: string, specifier: string): string | undefined {
  const folder = folderUrl(root);
  return specifier.startsWith(folder)
    ? decodeURIComponent(specifier.slice(folder.length))
    : undefined;
}

/** The packages of npm that a graph's modules import, and all that those depend on. */
export function packagesOf({ modules, npmPackages }: ModuleGraph): ModuleGraph["npmPackages"] {
  const found = new Set(modules.flatMap(({ npmPackage }) => npmPackage ?? []));
  for (const id of found) npmPackages[id]?.dependencies.forEach((other) => found.add(other));
  return Object.fromEntries(
    [...found].flatMap((id) => {
      const found = npmPackages[id];
      return found === undefined ? [] : [[id, found]];
    }),
  );
}

function folderUrl(root: string): string {
  return pathToFileURL(`${root}/`).href;
}

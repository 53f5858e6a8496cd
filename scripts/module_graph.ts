import { pathToFileURL } from "node:url";
import * as z from "zod";
import { createTempFolder } from "../test_support/temp_folder.ts";

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

/**
 * Every module that the given files import, directly or not, types included, and the npm packages
 * among them.
 */
export type ModuleGraph = z.output<typeof Graph>;

/** Reads what files of a folder import, as Deno resolves it with the folder's import map. */
export async function readModuleGraph(
  root: string,
  files: readonly string[],
): Promise<ModuleGraph> {
  await using temp = await createTempFolder();
  const entry = `${temp.path}/entry.ts`;
  const folder = folderUrl(root);
  const imports = files.map((file) => `import ${JSON.stringify(new URL(file, folder).href)};\n`);
  await Deno.writeTextFile(entry, imports.join(""));
  const args = ["info", "--json", "--config", `${root}/deno.json`, entry];
  const info = new Deno.Command(Deno.execPath(), { args, cwd: root });
  const { success, stdout, stderr } = await info.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the imports: ${decoder.decode(stderr)}`);
  return Graph.parse(JSON.parse(decoder.decode(stdout)));
}

/** The path of a module relative to a folder, or `undefined` if it is outside of it. */
export function pathIn(root: string, specifier: string): string | undefined {
  const folder = folderUrl(root);
  return specifier.startsWith(folder)
    ? decodeURIComponent(specifier.slice(folder.length))
    : undefined;
}

/** The npm packages that a graph's modules import, with all their dependencies. */
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

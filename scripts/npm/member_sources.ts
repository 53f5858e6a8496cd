import { packagesOf, pathIn, readModuleGraph } from "../module_graph.ts";

/** The sources of a package, as far as its exports reach them. */
export interface MemberSources {
  /** Paths from the member's folder. */
  readonly files: readonly string[];
  /** Names of the packages that they import. */
  readonly imported: readonly string[];
  /** Folder of each package that they, or their packages, import. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Reads what the entries of a member reach. Throws a `RangeError` where that is not its own. */
export async function readMemberSources(
  root: string,
  folder: string,
  entries: readonly string[],
): Promise<MemberSources> {
  const graph = await readModuleGraph(root, entries.map((entry) => `${folder}/${entry}`));
  const home = `${root}/${folder}`;
  const files: string[] = [];
  const imported = new Set<string>();
  for (const { specifier, dependencies } of graph.modules) {
    const path = pathIn(root, specifier);
    if (path === undefined) continue;
    const file = pathIn(home, specifier);
    if (file === undefined) throw new RangeError(`Cannot pack "${folder}": it imports ${path}`);
    files.push(file);
    for (const { specifier: name } of dependencies) {
      if (!/^[./]|^[a-z]+:/.test(name)) imported.add(packageName(name));
    }
  }
  return { files: files.sort(), imported: [...imported], packages: foldersOf(graph) };
}

function packageName(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Where there are two versions, the first is the one that is imported from nearer by. */
function foldersOf(graph: Parameters<typeof packagesOf>[0]): Record<string, string> {
  const folders: Record<string, string> = {};
  for (const { name, localPath } of Object.values(packagesOf(graph))) folders[name] ??= localPath;
  return folders;
}

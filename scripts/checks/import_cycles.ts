import { pathIn, readModuleGraph } from "../module_graph.ts";
import { ROOT } from "../../test_support/root.ts";
import { sourceFiles } from "../source_files.ts";

/** Which files each file imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the imports between files of a folder; Deno resolves them, the import map included. */
export async function readImports(root: string, files: readonly string[]): Promise<ImportGraph> {
  const { modules } = await readModuleGraph(root, files);
  const graph = new Map<string, string[]>();
  for (const { specifier, dependencies } of modules) {
    const path = pathIn(root, specifier);
    const targets = dependencies.map(({ code, type }) => code?.specifier ?? type?.specifier ?? "");
    if (path !== undefined) graph.set(path, targets.flatMap((url) => pathIn(root, url) ?? []));
  }
  return graph;
}

/** Finds import cycles: each is a path that ends where it starts. Empty if there are none. */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = [];
  const trail: string[] = [];
  const done = new Set<string>();
  for (const file of graph.keys()) walk(file);
  return cycles;

  function walk(file: string): void {
    const start = trail.indexOf(file);
    if (start !== -1) cycles.push([...trail.slice(start), file]);
    if (start !== -1 || done.has(file)) return;
    trail.push(file);
    for (const target of graph.get(file) ?? []) walk(target);
    trail.pop();
    done.add(file);
  }
}

if (import.meta.main) {
  const files = await sourceFiles(ROOT, [".ts", ".tsx", ".js", ".mjs"]);
  const cycles = findCycles(await readImports(ROOT, files));
  for (const cycle of cycles) console.error(`Import cycle: ${cycle.join(" -> ")}`);
  console.log(`${files.length} files, ${cycles.length} import cycles`);
  if (cycles.length > 0) Deno.exit(1);
}

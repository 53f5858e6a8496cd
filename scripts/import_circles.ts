import { pathToFileURL } from "node:url";
import * as z from "zod";
import { ROOT } from "./root.ts";
import { sourceFiles } from "./source_files.ts";

/** Which files each file imports, types included. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const Target = z.object({ specifier: z.string().optional() });

const ModuleGraph = z.object({
  modules: z.array(z.object({
    specifier: z.string(),
    dependencies: z.array(z.object({ code: Target.optional(), type: Target.optional() }))
      .default([]),
  })),
});

/** Reads the imports between files of a folder; Deno resolves them, the import map included. */
export async function readImports(root: string, files: readonly string[]): Promise<ImportGraph> {
  const folder = pathToFileURL(`${root}/`).href;
  const imports = files.map((file) => `import ${JSON.stringify(new URL(file, folder).href)};`);
  const entry = `data:application/typescript,${encodeURIComponent(imports.join(""))}`;
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json", entry], cwd: root });
  const { success, stdout, stderr } = await info.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot read the imports: ${decoder.decode(stderr)}`);
  const { modules } = ModuleGraph.parse(JSON.parse(decoder.decode(stdout)));
  return new Map(
    modules.filter(({ specifier }) => specifier.startsWith(folder)).map((module) => [
      pathOf(module.specifier),
      module.dependencies
        .flatMap(({ code, type }) => code?.specifier ?? type?.specifier ?? [])
        .filter((target) => target.startsWith(folder))
        .map(pathOf),
    ]),
  );

  function pathOf(specifier: string): string {
    return decodeURIComponent(specifier.slice(folder.length));
  }
}

/** Finds circles: each is a path that ends where it starts. Empty where there is none. */
export function findCircles(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  const trail: string[] = [];
  const done = new Set<string>();
  for (const file of graph.keys()) walk(file);
  return circles;

  function walk(file: string): void {
    const start = trail.indexOf(file);
    if (start !== -1) circles.push([...trail.slice(start), file]);
    if (start !== -1 || done.has(file)) return;
    trail.push(file);
    for (const target of graph.get(file) ?? []) walk(target);
    trail.pop();
    done.add(file);
  }
}

if (import.meta.main) {
  const files = await sourceFiles(ROOT, [".ts", ".tsx", ".js", ".mjs"]);
  const circles = findCircles(await readImports(ROOT, files));
  for (const circle of circles) console.error(`Circle of imports: ${circle.join(" -> ")}`);
  console.log(`${files.length} files, ${circles.length} circles of imports`);
  if (circles.length > 0) Deno.exit(1);
}

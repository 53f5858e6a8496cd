import { deepStrictEqual, ok } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { pathIn, readModuleGraph } from "../module_graph.ts";
import { sourceFiles } from "../source_files.ts";
import { ALLOWED_IMPORTS } from "./allowed_imports.ts";
import { isExample, isTest, modulePathOf } from "./module_paths.ts";

/** Each import that crosses a layer, as `component/layer -> layer` or `component/layer -> package`. */
const made = new Set<string>();
/** Each `component/layer` that has a file. */
const rows = new Set<string>();

const files = (await sourceFiles(ROOT, [".ts", ".tsx"])).filter((path) =>
  modulePathOf(path) !== undefined && !isTest(path) && !isExample(path)
);
const { modules } = await readModuleGraph(ROOT, files);
for (const { specifier: url, dependencies } of modules) {
  const path = pathIn(ROOT, url);
  const from = path === undefined ? undefined : modulePathOf(path);
  if (path === undefined || from === undefined || !files.includes(path)) continue;
  const { component, layer } = from;
  const row = Object.hasOwn(ALLOWED_IMPORTS[component] ?? {}, layer) ? layer : "*";
  rows.add(`${component}/${row}`);
  for (const { specifier, code, type } of dependencies) {
    const target = pathIn(ROOT, code?.specifier ?? type?.specifier ?? "");
    const to = specifier.startsWith(".") && target !== undefined
      ? modulePathOf(target)?.layer
      : specifier;
    made.add(`${component}/${row} -> ${to}`);
  }
}

const table = Object.entries(ALLOWED_IMPORTS).flatMap(([component, layers]) =>
  Object.entries(layers).map(([layer, { to, pure = [] }]) => ({
    name: `${component}/${layer}`,
    targets: [...to, ...pure],
  }))
);

Deno.test("every row of the layer table has a file", () => {
  ok(files.length > 100);
  deepStrictEqual(table.filter(({ name }) => !rows.has(name)).map(({ name }) => name), []);
});

Deno.test("every import that the layer table allows is made", () => {
  const allowed = table.flatMap(({ name, targets }) => targets.map((to) => `${name} -> ${to}`));
  const imports = [...made];
  const unused = allowed.filter((arrow) =>
    !imports.some((one) => one === arrow || one.startsWith(`${arrow}/`))
  );
  deepStrictEqual(unused, []);
});

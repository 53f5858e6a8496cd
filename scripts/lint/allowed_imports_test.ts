import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname } from "node:path/posix";
import { ROOT } from "../../test_support/root.ts";
import { pathIn, readModuleGraph } from "../module_graph.ts";
import { sourceFiles } from "../source_files.ts";
import { ALLOWED_IMPORTS } from "./allowed_imports.ts";
import { isExample, isTest, modulePathOf } from "./module_paths.ts";

/** Each import that crosses a layer, as `component/layer -> layer` or `component/layer -> package`. */
const made = new Set<string>();
/** Each `component/layer` that has a file. */
const rows = new Set<string>();
/** The folders that each folder imports. */
const folders = new Map<string, Set<string>>();

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
    if (target !== undefined && dirname(target) !== dirname(path)) {
      const found = folders.get(dirname(path)) ?? new Set();
      folders.set(dirname(path), found.add(dirname(target)));
    }
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

/** Components whose folders are rooms: a row for each, and arrows in one direction. */
const OF_ROOMS = /^(mcp_server|mirage_graphql|tools)\b/;

Deno.test("every folder of the tool server and the mock has a row of the layer table", () => {
  const inner = files.map(dirname).filter((path) => /^(mcp_server|mirage_graphql)\//.test(path));
  deepStrictEqual([...new Set(inner)].filter((folder) => !rows.has(folder)), []);
});

Deno.test("no two folders of the tool server or the mock import each other, nor do types in them", () => {
  const pairs = folders.entries().flatMap(([from, targets]) =>
    targets.values().filter((to) => from < to && folders.get(to)?.has(from))
      .map((to) => `${from} <-> ${to}`)
  );
  deepStrictEqual(pairs.filter((pair) => OF_ROOMS.test(pair)).toArray(), []);
});

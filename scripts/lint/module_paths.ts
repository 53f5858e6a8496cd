import { dirname, relative } from "node:path";
import { ROOT } from "../../test_support/root.ts";
import { ALLOWED_IMPORTS, type Layer } from "./allowed_imports.ts";

/** The component and layer of a module. */
export interface ModulePath {
  readonly component: string;
  /** Folder of the component, the innermost with a row, or file at its root without the ending. */
  readonly layer: string;
  /** The layer's row in the table, if there is one. */
  readonly row?: Layer;
}

/** A file's path from the root of the repository, with forward slashes. */
export function pathInRepository(filename: string): string {
  return relative(ROOT, filename).replaceAll("\\", "/");
}

/** The path that a relative import resolves to, from the root of the repository. */
export function targetOf(path: string, specifier: string): string {
  const folder = new URL(`${dirname(path)}/`, "file:///");
  return decodeURIComponent(new URL(specifier, folder).pathname.slice(1));
}

/** The component and the layer of a file, or `undefined` for a file outside of the components. */
export function modulePathOf(path: string): ModulePath | undefined {
  const [component = "", ...entries] = path.split("/");
  const rows = Object.hasOwn(ALLOWED_IMPORTS, component) ? ALLOWED_IMPORTS[component] : undefined;
  const file = entries.pop();
  if (rows === undefined || file === undefined) return undefined;
  const folders = entries.map((_, index) => entries.slice(0, entries.length - index).join("/"));
  const layer = folders.find((folder) => Object.hasOwn(rows, folder)) ??
    (entries[0] ?? file).replace(/\.\w+$/, "");
  return { component, layer, row: rows[layer] ?? rows["*"] };
}

/** Whether a file is a test, a benchmark, a fuzz or soak test, or a fixture of one. */
export function isTest(path: string): boolean {
  return /_(test|bench)\.[jt]sx?$/.test(path) ||
    /(^|\/)(testing|testdata|bench|fuzz|soak)\//.test(path);
}

/** Whether a file belongs to an example, which imports what a user would. */
export function isExample(path: string): boolean {
  return /(^|\/)examples\//.test(path);
}

import { deepStrictEqual } from "node:assert/strict";
import { findCycles, readImports } from "./import_cycles.ts";

const GRAPHS: readonly [name: string, graph: Record<string, string[]>, cycles: string[][]][] = [
  ["no file", {}, []],
  ["a chain", { a: ["b"], b: ["c"], c: [] }, []],
  ["a diamond", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, []],
  ["a file that imports itself", { a: ["a"] }, [["a", "a"]]],
  ["two files", { a: ["b"], b: ["a"] }, [["a", "b", "a"]]],
  ["a cycle behind an entry", { a: ["b"], b: ["c"], c: ["b"] }, [["b", "c", "b"]]],
  ["two cycles", { a: ["a"], b: ["c"], c: ["b"] }, [["a", "a"], ["b", "c", "b"]]],
];

for (const [name, graph, cycles] of GRAPHS) {
  Deno.test(`findCycles() finds the cycles of ${name}`, () => {
    deepStrictEqual(findCycles(new Map(Object.entries(graph))), cycles);
  });
}

async function writeFolder(files: Record<string, string>): Promise<string> {
  const folder = await Deno.makeTempDir();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return folder;
}

Deno.test("readImports() reads imports of values, of types, and lazy ones", async () => {
  const folder = await writeFolder({
    "deno.json": '{ "imports": { "by-name": "./c d.ts" } }',
    "a.ts": 'import type { B } from "./b.ts";\nexport type A = B;\n',
    "b.ts": 'export type B = import("./a.ts").A;\nexport * from "by-name";\n',
    "c d.ts": 'export const lazy = () => import("./a.ts");\nimport "node:path";\n',
  });
  try {
    const graph = await readImports(folder, ["a.ts"]);
    deepStrictEqual(Object.fromEntries(graph), {
      "a.ts": ["b.ts"],
      "b.ts": ["a.ts", "c d.ts"],
      "c d.ts": ["a.ts"],
    });
    deepStrictEqual(findCycles(graph), [
      ["a.ts", "b.ts", "a.ts"],
      ["a.ts", "b.ts", "c d.ts", "a.ts"],
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { ToolRegistry } from "./registry.ts";
import { StagedRegistrar } from "./staged_registrar.ts";

function tool(name: string) {
  const registrar = new StagedRegistrar(name);
  registrar.tool(name, () => ({ content: [] }));
  return registrar.tools;
}

Deno.test("ToolRegistry lists tools in the order of registration", () => {
  const registry = new ToolRegistry();
  for (const name of ["b", "a", "c"]) registry.add(tool(name));
  deepStrictEqual(registry.list().map(({ name }) => name), ["b", "a", "c"]);
});

Deno.test("ToolRegistry rejects a taken name and keeps the first tool", () => {
  const registry = new ToolRegistry();
  registry.add(tool("a"));
  const first = registry.get("a");
  throws(() => registry.add([...tool("b"), ...tool("a")]), /"a": the name is taken/);
  strictEqual(registry.get("a"), first);
  strictEqual(registry.get("b"), undefined);
});

Deno.test("ToolRegistry finds no tool for the names of inherited object members", () => {
  const registry = new ToolRegistry();
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    strictEqual(registry.get(name), undefined, name);
  }
});

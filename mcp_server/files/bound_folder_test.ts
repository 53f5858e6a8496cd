import { strictEqual, throws } from "node:assert/strict";
import { expandHome } from "./bound_folder.ts";

Deno.test("expandHome() replaces ~ at the start of a path as a shell does", () => {
  const cases = [
    ["~", "/home/a", "/home/a"],
    ["~/", "/home/a", "/home/a/"],
    ["~/b/~", "/home/a", "/home/a/b/~"],
    ["~/b", "/home/a//", "/home/a/b"],
    ["~", "/", "/"],
    ["~/b", "/", "/b"],
  ] as const;
  for (const [path, home, expanded] of cases) strictEqual(expandHome(path, { home }), expanded);
  for (const path of ["", "a", "/~", "./~", "~a", "~root/b", "a/~/b"]) {
    strictEqual(expandHome(path, { home: "/home/a" }), path);
  }
});

Deno.test("expandHome() refuses ~ without a home", () => {
  for (const home of [undefined, "", "home"]) {
    throws(() => expandHome("~/b", { home }), { code: "NO_HOME", message: /^Cannot use "~\/b": / });
  }
});

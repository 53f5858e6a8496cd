import { deepStrictEqual } from "node:assert/strict";
import { requires } from "./requires.ts";

Deno.test("requires() lets a test run where its program is there", () => {
  deepStrictEqual(requires("php", "runs PHP", () => true), { name: "runs PHP", ignore: false });
});

Deno.test("requires() skips a test by name, with the reason, where its program is missing", () => {
  deepStrictEqual(requires("php", "runs PHP", () => false), {
    name: "runs PHP (needs php: install php-cli)",
    ignore: true,
  });
});

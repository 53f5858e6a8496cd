import { ok, strictEqual } from "node:assert/strict";
import { bundle } from "../../test_support/browser/bundle.ts";
import { bytesOf } from "./size.ts";

Deno.test("the entry without Vue adds at most 860 bytes to a page, everything at most 1,260; ./schema 1,200, ./options 980", async () => {
  const [core, all] = [await bytesOf("core"), await bytesOf("all")];
  ok(core <= 860, `${core} bytes`);
  ok(all <= 1260, `${all} bytes`);
  const [schema, options] = [await bytesOf("schema"), await bytesOf("options")];
  ok(schema <= 1200, `${schema} bytes`);
  ok(options <= 980, `${options} bytes`);
});

Deno.test("the entry without Vue imports neither Vue nor axios", async () => {
  const entry = new URL("./entries/core.ts", import.meta.url);
  strictEqual(
    /\bfrom\b|\bimport\b/.test(await bundle(entry, { external: ["axios", "vue"] })),
    false,
  );
});

Deno.test("tree shaking removes useApi() from the whole entry if it is not used", async () => {
  const entry = new URL("./entries/api_of_all.ts", import.meta.url);
  strictEqual(/WeakSet/.test(await bundle(entry, { external: ["axios", "vue"] })), false);
});

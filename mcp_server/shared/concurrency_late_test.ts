import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { lateModule, loadLateModules } from "./concurrency.ts";

/** What the modules of this test did, in order. */
const done: string[] = [];
Object.assign(globalThis, { lateModuleTest: { done, lateModule } });

/** A module that notes that it ran, and does something else. */
function toUrl(name: string, more = ""): string {
  const code =
    `globalThis.lateModuleTest.done.push("${name}"); ${more} export const own = "${name}";`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

Deno.test("lateModule() imports once, on the first use", async () => {
  const use = lateModule<{ own: string }>(toUrl("used"));
  strictEqual(done.includes("used"), false);
  const [one, other] = await Promise.all([use(), use()]);
  strictEqual(one, other);
  strictEqual(one.own, "used");
  await loadLateModules();
  deepStrictEqual(done.filter((name) => name === "used"), ["used"]);
});

Deno.test("loadLateModules() imports what was not used, and what that makes known", async () => {
  const inner = `globalThis.lateModuleTest.lateModule(${JSON.stringify(toUrl("inner"))});`;
  lateModule(toUrl("outer", inner));
  await loadLateModules();
  deepStrictEqual(done.slice(-2), ["outer", "inner"]);
});

Deno.test("loadLateModules() rejects if a module can't be imported", async () => {
  const use = lateModule("data:text/javascript,throw new TypeError('gone')");
  await rejects(loadLateModules(), /gone/);
  await rejects(use(), /gone/);
});

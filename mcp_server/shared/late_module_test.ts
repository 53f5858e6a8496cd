import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { lateModule, loadLateModules } from "./late_module.ts";

Deno.test("lateModule() imports once, on the first use", async () => {
  let imports = 0;
  const use = lateModule(() => Promise.resolve({ count: ++imports }));
  strictEqual(imports, 0);
  deepStrictEqual(await Promise.all([use(), use()]), [{ count: 1 }, { count: 1 }]);
  await loadLateModules();
  deepStrictEqual([await use(), imports], [{ count: 1 }, 1]);
});

Deno.test("loadLateModules() imports what was not used, and what that makes known", async () => {
  const order: string[] = [];
  lateModule(() => {
    order.push("outer");
    lateModule(() => Promise.resolve(order.push("inner")));
    return Promise.resolve();
  });
  await loadLateModules();
  deepStrictEqual(order, ["outer", "inner"]);
});

Deno.test("loadLateModules() rejects if a module can't be imported", async () => {
  const use = lateModule(() => Promise.reject(new TypeError("gone")));
  await rejects(loadLateModules(), /gone/);
  await rejects(use(), /gone/);
});

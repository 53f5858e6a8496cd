import { deepStrictEqual, ok } from "node:assert/strict";
import { ROOT } from "../test_support/root.ts";

/** A link to a test file, and the beginnings of the titles of its tests, but for a number. */
const PROOF = /\[\w[\w.-]*_test\.ts\]\((\S+_test\.ts)\): ((?:`[^`]+`(?:, )?)+)/g;

Deno.test("each attack of SECURITY.md names tests that exist", async () => {
  const page = await Deno.readTextFile(`${ROOT}/SECURITY.md`);
  const missing: string[] = [];
  let proofs = 0;
  for (const [, file = "", names = ""] of page.matchAll(PROOF)) {
    const text = await Deno.readTextFile(`${ROOT}/${file}`);
    for (const [, name = ""] of names.matchAll(/`([^`]+)`/g)) {
      proofs++;
      const title = new RegExp(`["\`](?:\\$\\{\\w+\\} )?${RegExp.escape(name)}`);
      if (!title.test(text)) missing.push(`${file}: ${name}`);
    }
  }
  deepStrictEqual(missing, []);
  ok(proofs >= 30, `${proofs} tests`);
});

Deno.test("each row of the attacks in SECURITY.md names a test", async () => {
  const page = await Deno.readTextFile(`${ROOT}/SECURITY.md`);
  const [, table = ""] = page.split("## Attacks");
  const rows = table.split("\n").filter((line) => /^\| (?!\*\*|attack|-)/.test(line));
  deepStrictEqual(rows.filter((row) => !row.includes("_test.ts]")), []);
});

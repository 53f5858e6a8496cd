import { deepStrictEqual, ok } from "node:assert/strict";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { compareDelegation } from "./delegation.ts";
import { downloadPackages } from "./npm_packages.ts";
import { REAL_SCHEMAS, realSubject } from "./subjects.ts";

Deno.test("resolvers that only delegate answer the same as none, for schemas of public APIs", async (t) => {
  await using temp = await createTempFolder();
  const folders = await downloadPackages(REAL_SCHEMAS.map((schema) => schema.package), temp.path);
  for (const schema of REAL_SCHEMAS) {
    await t.step(schema.name, async () => {
      const subject = await realSubject(schema, folders.get(schema.package) ?? "");
      const { answered, differences } = await compareDelegation(subject, 30);
      deepStrictEqual(differences.slice(0, 5), []);
      ok(answered > 300, `${answered} requests`);
    });
  }
});

import { deepStrictEqual, ok } from "node:assert/strict";
import { compareDelegation } from "./delegation.ts";
import { FAMILIES, familySubject } from "./subjects.ts";

for (const family of FAMILIES) {
  Deno.test(`resolvers that only delegate answer the same as none: ${family.name}`, async () => {
    const { answered, differences } = await compareDelegation(familySubject(family), 10);
    deepStrictEqual(differences, []);
    ok(answered > 50, `${answered} requests`);
  });
}

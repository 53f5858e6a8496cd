import { deepStrictEqual, ok } from "node:assert/strict";
import { compareDelegation } from "./delegation.ts";
import { isWholeRun } from "../../../test_support/tier.ts";
import { FAMILIES, familySubject } from "./subjects.ts";

/** Those of the two largest dialects, or all. */
const COMPARED = isWholeRun
  ? FAMILIES
  : FAMILIES.filter(({ name }) => ["Hasura", "PostGraphile"].includes(name));

for (const family of COMPARED) {
  Deno.test(`resolvers that only delegate answer the same as none: ${family.name}`, async () => {
    const { answered, differences } = await compareDelegation(familySubject(family), 10);
    deepStrictEqual(differences, []);
    ok(answered > 50, `${answered} requests`);
  });
}

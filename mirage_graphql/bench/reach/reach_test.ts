import { deepStrictEqual, ok } from "node:assert/strict";
import { isWholeRun } from "../../../test_support/tier.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { downloadPackages } from "./npm_packages.ts";
import { reportPage } from "./report.ts";
import { measureOnGraphQL16, measureOnGraphQL17 } from "./run_measure.ts";
import { REAL_SCHEMAS } from "./subjects.ts";

const NAMES = isWholeRun ? ["Vendure shop", "Relay's test schema", "Pokémon"] : ["Vendure shop"];
const MEASURES = isWholeRun ? [measureOnGraphQL17, measureOnGraphQL16] : [measureOnGraphQL17];

const AMOUNT = { required: 30, optional: 15, seed: 7 };

Deno.test("schemas of public APIs build, are served, and answer random queries", async (t) => {
  await using temp = await createTempFolder();
  const schemas = REAL_SCHEMAS.filter(({ name }) => NAMES.includes(name));
  const folders = await downloadPackages(schemas.map((schema) => schema.package), temp.path);
  const requests = schemas.map((schema) => ({
    name: schema.name,
    folder: folders.get(schema.package),
  }));
  for (const measure of MEASURES) {
    await t.step(measure.name, async () => {
      const measured = await measure(requests, AMOUNT);
      deepStrictEqual(measured.map(({ name }) => name), schemas.map(({ name }) => name));
      for (const { name, builds, served, ours, operations, failures } of measured) {
        const why = `${name}: ${failures.join("\n")}`;
        ok(builds && served, why);
        deepStrictEqual([ours?.required, ours?.optional], [AMOUNT.required, AMOUNT.optional], why);
        ok((ours?.sensible ?? 0) > operations / 2, why);
      }
      ok(reportPage([{ version: "x", measured }], "").includes("| Vendure shop "));
    });
  }
});

/**
 * Measures how many schemas of public APIs the mock accepts, and how many requests to them it
 * answers, on graphql 17 and 16, and writes the page of the figures: `deno task reach`. Names of
 * schemas as arguments measure only those, print what failed, and write nothing.
 */
import { ROOT } from "../../../test_support/root.ts";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { downloadPackages } from "./npm_packages.ts";
import { reportPage, type VersionMeasured } from "./report.ts";
import { measureOnGraphQL16, measureOnGraphQL17, type MeasureRequest } from "./run_measure.ts";
import { FAMILIES, REAL_SCHEMAS } from "./subjects.ts";

const PAGE = `${ROOT}/mirage_graphql/docs/reach.md`;

const AMOUNT = { required: 200, optional: 100, seed: 1 };

await using temp = await createTempFolder();
const isChosen = ({ name }: { readonly name: string }) =>
  Deno.args.length === 0 || Deno.args.includes(name);
const real = REAL_SCHEMAS.filter(isChosen);
const folders = await downloadPackages(real.map((schema) => schema.package), temp.path);
const requests: MeasureRequest[] = [
  ...real.map((schema) => ({ name: schema.name, folder: folders.get(schema.package) })),
  ...FAMILIES.filter(isChosen).map(({ name }) => ({ name })),
];
const versions: VersionMeasured[] = [
  { version: "17", measured: await measureOnGraphQL17(requests, AMOUNT) },
  { version: "16", measured: await measureOnGraphQL16(requests, AMOUNT) },
];
const date = new Date().toISOString().slice(0, 10);
const page = reportPage(versions, `Deno ${Deno.version.deno}, ${date}, seed ${AMOUNT.seed}.`);
console.log(page);
if (Deno.args.length === 0) await writePage();
else for (const { version, measured } of versions) printFailures(version, measured);

function printFailures(version: string, measured: VersionMeasured["measured"]): void {
  for (const { name, failures } of measured) {
    for (const failure of failures) console.log(`graphql ${version}, ${name}: ${failure}`);
  }
}

async function writePage(): Promise<void> {
  await Deno.writeTextFile(PAGE, page);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", PAGE] }).output();
}

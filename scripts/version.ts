/**
 * Raises the version of the packages that the arguments name, or of all: `deno task version
 * <patch|minor|major|x.y.z> [package...]`.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { packageFaults } from "./version/package_faults.ts";
import { raiseVersions } from "./version/raise_versions.ts";

const [step, ...packages] = Deno.args;
try {
  const date = new Date().toISOString().slice(0, 10);
  const raised = await raiseVersions(ROOT, { step: step ?? "", packages, date });
  for (const { member: { name, version: old }, version } of raised) {
    console.log(`${name} ${old} -> ${version}`);
  }
  const faults = await packageFaults(ROOT);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) Deno.exit(1);
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(error.message);
  Deno.exit(1);
}

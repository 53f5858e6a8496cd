/**
 * Records again what the tests of upgrades read in `testdata/version_0_1_0` of each component:
 * `deno run -A scripts/testing/old_versions/main.ts`, or with the names of functions after it. It
 * runs older versions from the history of the repository, which the tests don't need.
 *
 * @module
 */

import { ROOT } from "../../../test_support/root.ts";
import { recordCallers } from "./record_callers.ts";
import { recordFleet } from "./record_fleet.ts";
import { recordJobs } from "./record_jobs.ts";
import { recordPages } from "./record_pages.ts";
import { recordRelease } from "./record_release.ts";

const folder = `${ROOT}/mcp_server/testdata/version_0_1_0`;
await Deno.mkdir(folder, { recursive: true });
for (const record of [recordRelease, recordJobs, recordCallers, recordFleet, recordPages]) {
  if (Deno.args.length > 0 && !Deno.args.includes(record.name)) continue;
  console.log(record.name);
  await record(folder);
}

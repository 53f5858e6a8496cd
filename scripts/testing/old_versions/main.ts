/**
 * Records again what the tests of upgrades read in the folders of `testdata` that are named after a
 * version: `deno run -A scripts/testing/old_versions/main.ts version_0_2_0`, or with the names of
 * functions after it. It runs older versions from the history of the repository, which the tests
 * don't need.
 *
 * @module
 */

import { ROOT } from "../../../test_support/root.ts";
import { FIRST_CALLERS, recordCallers } from "./record_callers.ts";
import { recordClients } from "./record_clients.ts";
import { FIRST_FLEET, recordFleet } from "./record_fleet.ts";
import { LAST_DIGESTS, recordJobs } from "./record_jobs.ts";
import { recordPages } from "./record_pages.ts";
import { recordRelease, RELEASE } from "./record_release.ts";

/** The commit of 0.2.0. */
const SECOND_RELEASE = "4096f5dc";

/** What is recorded of each version, and by which commit: a function of the folder. */
const VERSIONS: Readonly<Record<string, Readonly<Record<string, Recorder>>>> = {
  version_0_1_0: {
    recordRelease,
    recordJobs: (folder) => recordJobs(folder, LAST_DIGESTS),
    recordCallers: (folder) => recordCallers(folder, FIRST_CALLERS),
    recordFleet: (folder) => recordFleet(folder, FIRST_FLEET),
    recordPages: () => recordPages({ version: "0.1.0", commit: RELEASE }),
  },
  version_0_2_0: {
    recordJobs: (folder) => recordJobs(folder, SECOND_RELEASE),
    recordCallers: (folder) => recordCallers(folder, SECOND_RELEASE),
    recordFleet: (folder) => recordFleet(folder, SECOND_RELEASE),
    recordClients: (folder) => recordClients(folder, SECOND_RELEASE),
    recordPages: () => recordPages({ version: "0.2.0", commit: SECOND_RELEASE }),
  },
};

type Recorder = (folder: string) => Promise<void>;

const [version = "", ...names] = Deno.args;
const recorders = VERSIONS[version];
if (recorders === undefined) {
  throw new RangeError(
    `Cannot record "${version}": it is none of ${Object.keys(VERSIONS).join(", ")}`,
  );
}
const folder = `${ROOT}/mcp_server/testdata/${version}`;
await Deno.mkdir(folder, { recursive: true });
for (const [name, record] of Object.entries(recorders)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(name);
  await record(folder);
}

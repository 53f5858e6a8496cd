/**
 * Compares this server with others from npm, over stdio with the client of the MCP SDK, and writes
 * the page about it: `deno task peers`. Names of groups as arguments, such as `postgres`, measure
 * only these and write nothing; `--modules FOLDER` keeps the installed packages for the next run.
 * Needs root, PostgreSQL, sshd and npm.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { ROOT } from "../../../test_support/root.ts";
import { measureBounds } from "./probes/bounds.ts";
import { GROUP_NAMES } from "./servers/contender.ts";
import { openGroups } from "./servers/groups.ts";
import { measureGroups } from "./measure_group.ts";
import { peersPage } from "./page.ts";
import { openTestbed } from "./servers/testbed.ts";
import { boundsSection, groupSection } from "./report.ts";

const PAGE = `${ROOT}/mcp_server/docs/peers.md`;

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: { modules: { type: "string" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !GROUP_NAMES.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`Cannot measure "${unknown.join(", ")}": there are ${GROUP_NAMES.join(", ")}`);
  Deno.exit(2);
}
const startedAt = performance.now();
await using testbed = await openTestbed(values.modules);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, async () => {
    await testbed[Symbol.asyncDispose]();
    Deno.exit(1);
  });
}
report("installed the peers, and started the services");
const groups = await openGroups(testbed);
const isChosen = (name: string) => positionals.length === 0 || positionals.includes(name);
const chosen = groups.filter(({ name }) => isChosen(name));
const sections = (await measureGroups(chosen, testbed, { report })).map(groupSection);
if (isChosen("files")) sections.push(boundsSection(await measureBounds(testbed)));
const date = new Date().toISOString().slice(0, 10);
const machine = `Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} cores, ${date}.`;
const page = peersPage(sections, machine);
console.log(page);
if (positionals.length === 0) await writePage(page);
report("done");

async function writePage(text: string): Promise<void> {
  await Deno.writeTextFile(PAGE, text);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", PAGE] }).output();
}

/** Writes to stderr how far the run has come. */
function report(step: string): void {
  console.error(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${step}`);
}

/**
 * Sends random inputs to each parser of untrusted input: `deno task fuzz [inputs] [--seed N]
 * [--path P] [surface ...]`. Expensive surfaces get a fraction of the inputs. A failure is printed
 * with its smallest example and the command that repeats it, whose `--path` leads to that example.
 * Exits with 1 if there is one.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { SERVER_SURFACES } from "../../mcp_server/fuzz/surfaces.ts";
import { GRAPHQL_SURFACES } from "../../mirage_graphql/fuzz/surfaces.ts";
import { newSeed, type Surface } from "../../test_support/fuzz/surface.ts";
import { startWatchdog } from "../../test_support/fuzz/watchdog.ts";
import { PAGE_SURFACES } from "./page_surfaces.ts";

const SURFACES: readonly Surface[] = [
  ...SERVER_SURFACES,
  ...GRAPHQL_SURFACES,
  ...PAGE_SURFACES,
];
const INPUTS = 1_000;
/** Longer than any surface lets one input take. */
const HANGS_SECONDS = 120;

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: { seed: { type: "string" }, path: { type: "string" } },
  allowPositionals: true,
});
const isCount = /^\d+$/.test(positionals[0] ?? "");
const runs = isCount ? Number(positionals[0]) : INPUTS;
const names = positionals.slice(isCount ? 1 : 0);
const seed = Number(values.seed ?? newSeed());
const unknown = names.filter((name) => !SURFACES.some((surface) => surface.name === name));
if (unknown.length > 0 || runs < 1 || !Number.isInteger(seed)) {
  console.error(
    `Cannot test "${Deno.args.join(" ")}": give a number of inputs, a whole --seed, and names of ${
      SURFACES.map(({ name }) => name).join(", ")
    }`,
  );
  Deno.exit(2);
}

console.log("| surface | inputs | seed | seconds | found |");
console.log("| --- | --- | --- | --- | --- |");
const found: string[] = [];
using watchdog = startWatchdog(HANGS_SECONDS);
for (const surface of SURFACES) {
  const { name } = surface;
  if (names.length > 0 && !names.includes(name)) continue;
  watchdog.watch(`${name} --seed ${seed}`);
  const report = await surface.run({ runs, seed, path: values.path, onInput: watchdog.tick });
  const seconds = report.seconds.toFixed(1);
  console.log(`| ${name} | ${report.runs} | ${seed} | ${seconds} | ${report.found.length} |`);
  found.push(...report.found.map((message) => `\n${name}: ${message}`));
}
for (const message of found) console.log(message);
Deno.exit(found.length === 0 ? 0 : 1);

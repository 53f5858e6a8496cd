/**
 * Sends mixed traffic over every transport, and prints what came of it and what is left:
 * `deno task soak [minutes] [--seed N] [--parallel N]`, where 6 scenarios run at once by default.
 * Exits with 1 if something is wrong.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { newSeed } from "./random.ts";
import { judge, printFindings } from "./report.ts";
import { soak } from "./soak.ts";

const MOST_WRONG = 20;

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: { seed: { type: "string" }, parallel: { type: "string", default: "6" } },
  allowPositionals: true,
});
const minutes = Number(positionals[0] ?? 1);
const seed = Number(values.seed ?? newSeed());
const parallel = Number(values.parallel);
if (!(minutes > 0) || !Number.isInteger(seed) || !(Number.isInteger(parallel) && parallel > 0)) {
  const given = Deno.args.join(" ");
  console.error(`Cannot soak "${given}": give minutes, a whole --seed, and a --parallel from 1 on`);
  Deno.exit(2);
}
console.log(`${minutes} minutes, --seed ${seed} --parallel ${parallel}`);
const figures = await soak({
  ms: minutes * 60_000,
  seed,
  parallel,
  onProgress: (text) => console.error(`${new Date().toISOString()} ${text}`),
});
for (const line of figures.tally.wrong.slice(0, MOST_WRONG)) console.log(`wrong: ${line}`);
for (const line of figures.unhandled.slice(0, MOST_WRONG)) console.log(line);
const findings = judge(figures);
printFindings(findings);
Deno.exit(findings.every(({ good }) => good) ? 0 : 1);

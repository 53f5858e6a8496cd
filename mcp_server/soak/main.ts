/**
 * Sends mixed traffic over every transport, and prints what came of it and what is left:
 * `deno task soak [minutes] [--seed N]`. Exits with 1 if something is wrong.
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
  options: { seed: { type: "string" } },
  allowPositionals: true,
});
const minutes = Number(positionals[0] ?? 1);
const seed = Number(values.seed ?? newSeed());
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(`Cannot soak for "${positionals[0]}" minutes: give a number, and a whole --seed`);
  Deno.exit(2);
}
console.log(`${minutes} minutes, --seed ${seed}`);
const figures = await soak({
  ms: minutes * 60_000,
  seed,
  onProgress: (text) => console.error(`${new Date().toISOString()} ${text}`),
});
for (const line of figures.tally.wrong.slice(0, MOST_WRONG)) console.log(`wrong: ${line}`);
for (const line of figures.unhandled.slice(0, MOST_WRONG)) console.log(line);
const findings = judge(figures);
printFindings(findings);
Deno.exit(findings.every(({ good }) => good) ? 0 : 1);

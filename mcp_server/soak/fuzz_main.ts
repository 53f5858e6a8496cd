/**
 * Starts a server and sends it what no client would send: `deno task fuzz [requests]`. To repeat a
 * run, pass the `--seed` that it printed. Exits with 1 if something is wrong.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";
import { newSeed } from "./random.ts";
import { printFindings } from "./report.ts";

const { values, positionals } = parseArgs({
  args: Deno.args,
  options: { seed: { type: "string" } },
  allowPositionals: true,
});
const requests = Number(positionals[0] ?? 1_000);
const seed = Number(values.seed ?? newSeed() >> 0);
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
  console.error(
    `Cannot send "${positionals[0]}" requests: give a whole number, and a whole --seed`,
  );
  Deno.exit(2);
}
const findings = await fuzz({ requests, seed });
printFindings(findings);
Deno.exit(findings.every(({ good }) => good) ? 0 : 1);

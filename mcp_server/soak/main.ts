/**
 * Sends mixed traffic over every transport, and prints what came of it and what is left:
 * `deno task soak [minutes] [--seed N] [--parallel N]`, where 6 scenarios run at once by default.
 * Exits with 1 if something is wrong. Ctrl+C or SIGTERM ends it early: it stops what it has started,
 * removes its folders, prints the table so far, and exits with 130; a second one ends it at once.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { messageOf } from "../shared/error.ts";
import { newSeed } from "./random.ts";
import { type Finding, judge, judgeTraffic, printFindings } from "./report.ts";
import { soak } from "./soak.ts";
import { Tally } from "./tally.ts";

const MOST_WRONG = 20;
const INTERRUPTED = 130;

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
const onProgress = (text: string) => console.error(`${new Date().toISOString()} ${text}`);
const stop = new AbortController();
const tally = new Tally((what) => stop.signal.aborted || onProgress(`wrong: ${what}`));
let soFar: readonly Finding[] = [];
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    if (stop.signal.aborted) Deno.exit(INTERRUPTED);
    onProgress(`${signal}: stopping what was started`);
    // What fails from now on is not the server's fault.
    soFar = judgeTraffic(tally);
    stop.abort();
  });
}
const options = { ms: minutes * 60_000, seed, parallel, onProgress, tally, signal: stop.signal };
const figures = await soak(options).catch((error) => {
  if (!stop.signal.aborted) throw error;
  // The services may have got the signal, too.
  if (error !== stop.signal.reason) onProgress(`while stopping: ${messageOf(error)}`);
  printFindings(soFar);
  Deno.exit(INTERRUPTED);
});
for (const line of tally.wrong.slice(0, MOST_WRONG)) console.log(`wrong: ${line}`);
for (const line of figures.unhandled.slice(0, MOST_WRONG)) console.log(line);
const findings = judge(figures);
printFindings(findings);
Deno.exit(findings.every(({ good }) => good) ? 0 : 1);

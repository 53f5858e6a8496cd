/**
 * Runs the benchmarks of all components, or of those that the arguments name: `deno task bench
 * api_wrapper`, or `mirage_graphql/peers` for a comparison with packages that it downloads.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { runProgram } from "./run_program.ts";
import { sourceFiles } from "./source_files.ts";

const DEADLINE_MS = 30 * 60_000;

const files = await sourceFiles(ROOT, ["/bench/main.ts", "/bench/peers/main.ts"]);
const known = files.map((file) => file.replace("/bench/", "/").replace("/main.ts", ""));
const unknown = Deno.args.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`Cannot measure "${unknown.join(", ")}": there are ${known.join(", ")}`);
  Deno.exit(2);
}

let failed = 0;
for (const [at, name] of known.entries()) {
  if (Deno.args.length > 0 && !Deno.args.includes(name)) continue;
  console.log(`\n# ${name}`);
  const flags = name.endsWith("/peers") ? ["-A", "--no-lock"] : ["-A"];
  const args = ["run", ...flags, files[at] ?? ""];
  const signal = AbortSignal.timeout(DEADLINE_MS);
  failed += await runProgram(Deno.execPath(), args, { signal, cwd: ROOT }) === 0 ? 0 : 1;
}
Deno.exit(failed);

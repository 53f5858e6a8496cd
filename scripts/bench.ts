/**
 * Runs the benchmark of each component, or those that the arguments name: `deno task bench
 * api_wrapper`. A comparison with other packages downloads them, and one writes a page, so these run
 * only by name: `deno task bench mirage_graphql/peers`.
 *
 * @module
 */

import { ROOT } from "../test_support/root.ts";
import { runProgram } from "./run_program.ts";
import { sourceFiles } from "./source_files.ts";

const DEADLINE_MS = 30 * 60_000;
const MAIN_FILES = ["/bench/main.ts", "/bench/peers/main.ts"];

/** A program that measures: `mirage_graphql`, or its comparison `mirage_graphql/peers`. */
export interface Benchmark {
  readonly name: string;
  /** Its main file, as a path from the root of the repository. */
  readonly file: string;
  readonly isComparison: boolean;
}

/** Lists the benchmarks of some files, in their order. */
export function benchmarksIn(files: readonly string[]): Benchmark[] {
  return files.map((file) => {
    const name = file.replace("/bench/", "/").replace("/main.ts", "");
    return { name, file, isComparison: name.endsWith("/peers") };
  });
}

/** Selects the benchmarks with the given names; without names, those that compare nothing. */
export function selectBenchmarks(
  benchmarks: readonly Benchmark[],
  names: readonly string[],
): Benchmark[] {
  return benchmarks.filter(({ name, isComparison }) =>
    names.length === 0 ? !isComparison : names.includes(name)
  );
}

if (import.meta.main) {
  const benchmarks = benchmarksIn(await sourceFiles(ROOT, MAIN_FILES));
  const known = benchmarks.map(({ name }) => name);
  const unknown = Deno.args.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`Cannot measure "${unknown.join(", ")}": there are ${known.join(", ")}`);
    Deno.exit(2);
  }
  let failed = 0;
  for (const { name, file, isComparison } of selectBenchmarks(benchmarks, Deno.args)) {
    console.log(`\n# ${name}`);
    const args = ["run", "-A", ...(isComparison ? ["--no-lock"] : []), file];
    const signal = AbortSignal.timeout(DEADLINE_MS);
    failed += await runProgram(Deno.execPath(), args, { signal, cwd: ROOT }) === 0 ? 0 : 1;
  }
  Deno.exit(failed);
}

import { parseJunit } from "./junit.ts";
import { runProgram, type RunProgramOptions } from "../run_program.ts";
import { sum, type Tally, tallyOf } from "./tally.ts";

/**
 * Runs `deno test` with the examples in documentation, and counts. A run that fails without a failed
 * test (a type error, an error while a file loads) counts as one that failed.
 */
export async function countTests(
  args: readonly string[],
  options: RunProgramOptions,
): Promise<Tally> {
  const report = await Deno.makeTempFile({ suffix: ".xml" });
  try {
    const flags = ["test", "-A", "--doc", `--junit-path=${report}`];
    const code = await runProgram(Deno.execPath(), [...flags, ...args], options);
    const xml = await Deno.readTextFile(report);
    const tally = xml === "" ? sum([]) : parseJunit(xml);
    return code === 0 || tally.failed > 0 ? tally : sum([tally, tallyOf(false)]);
  } finally {
    await Deno.remove(report);
  }
}

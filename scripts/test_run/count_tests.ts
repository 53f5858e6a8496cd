import { runProgram, type RunProgramOptions } from "../run_program.ts";

/**
 * Runs `deno test` with the examples in documentation, and counts the results. A run that fails
 * without a failed test (a type error, an error while a file loads) counts as one failure.
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

const CASE = /<testcase name="([^"]*)"([^>]*)>(.*?)<\/testcase>/gs;
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/**
 * Counts the tests, and their steps, of a report by `deno test --junit-path`; filtered tests are
 * not counted. Throws a `RangeError` if the report is incomplete.
 */
export function parseJunit(xml: string): Tally {
  const cases = [...xml.matchAll(CASE)].map(
    ([, name = "", attributes = "", body = ""]) => ({ name, attributes, body }),
  );
  const announced = Number(/<testsuites [^>]*tests="(\d+)"/.exec(xml)?.[1]);
  if (cases.length !== announced) {
    throw new RangeError(
      `Cannot read the test report: ${cases.length} of ${announced} tests found`,
    );
  }
  const failed = cases.filter(({ body }) => /<(failure|error)\b/.test(body));
  const notRun = cases.filter(({ body }) => /<skipped\b/.test(body));
  const skipped = notRun.filter(({ attributes }) => attributes.includes(' time="'));
  return {
    passed: cases.length - failed.length - notRun.length,
    failed: failed.length,
    skipped: skipped.map(({ name }) => name.replaceAll(/&\w+;/g, (text) => ENTITIES[text] ?? text)),
  };
}

/** The results of a number of tests and checks. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Names of skipped tests. */
  readonly skipped: readonly string[];
}

/** The tally of one check. */
export function tallyOf(ok: boolean): Tally {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] };
}

/** Adds up tallies. */
export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
    skipped: tallies.flatMap(({ skipped }) => skipped),
  };
}

/** The closing line of a run. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  const rest = skipped.length === 0 ? "" : `, ${skipped.length} skipped`;
  return `${passed} passed, ${failed} failed${rest}`;
}

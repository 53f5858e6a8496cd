/** A test, or a step of one, of a report. */
export interface TestCase {
  readonly name: string;
  /** Path of its file relative to the root, or a URL. */
  readonly file: string;
  readonly outcome: "passed" | "failed" | "skipped" | "filtered";
  readonly seconds: number;
  /** Whether it is a step of another test of the report, whose name its own begins with. */
  readonly isStep: boolean;
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
 * Reads a report by `deno test --junit-path`; an empty one has no test. Throws a `RangeError` if the
 * report is incomplete.
 */
export function parseJunit(xml: string): TestCase[] {
  if (xml === "") return [];
  const cases = [...xml.matchAll(CASE)].map(([, name = "", attributes = "", body = ""]) => ({
    name: unescape(name),
    file: unescape(/ classname="([^"]*)"/.exec(attributes)?.[1] ?? "").replace(/^\.\//, ""),
    outcome: outcomeOf(attributes, body),
    seconds: Number(/ time="([\d.]+)"/.exec(attributes)?.[1] ?? 0),
  }));
  const announced = Number(/<testsuites [^>]*tests="(\d+)"/.exec(xml)?.[1]);
  if (cases.length !== announced) {
    throw new RangeError(
      `Cannot read the test report: ${cases.length} of ${announced} tests found`,
    );
  }
  const tests = new Set(cases.map(({ file, name }) => `${file} ${name}`));
  return cases.map((test) => ({ ...test, isStep: isStepOf(tests, test) }));
}

/** The report lists a step as `<name of its test> > <name of the step>`. */
function isStepOf(tests: ReadonlySet<string>, { file, name }: { file: string; name: string }) {
  return [...name.matchAll(/ > /g)].some(({ index }) =>
    tests.has(`${file} ${name.slice(0, index)}`)
  );
}

function outcomeOf(attributes: string, body: string): TestCase["outcome"] {
  if (/<(failure|error)\b/.test(body)) return "failed";
  if (!/<skipped\b/.test(body)) return "passed";
  return attributes.includes(' time="') ? "skipped" : "filtered";
}

function unescape(text: string): string {
  return text.replaceAll(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
}

/** The results of a number of tests and checks. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Names of skipped tests. */
  readonly skipped: readonly string[];
}

/** Counts the tests and steps of a report; filtered ones are not counted. */
export function tallyOf(cases: readonly TestCase[]): Tally {
  const of = (outcome: TestCase["outcome"]) => cases.filter((test) => test.outcome === outcome);
  return {
    passed: of("passed").length,
    failed: of("failed").length,
    skipped: of("skipped").map(({ name }) => name),
  };
}

/** The tally of a check, which counts as one test. */
export function tallyOfCheck(ok: boolean): Tally {
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

/** The files whose tests took longest, the slowest first. */
export function slowestFiles(
  cases: readonly TestCase[],
  count: number,
): { file: string; seconds: number }[] {
  const files = Map.groupBy(cases.filter(({ isStep }) => !isStep), ({ file }) => file);
  return [...files]
    .map(([file, tests]) => ({
      file,
      seconds: tests.reduce((total, { seconds }) => total + seconds, 0),
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count);
}

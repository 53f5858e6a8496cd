import type { Tally } from "./tally.ts";

const CASE = /<testcase name="([^"]*)"([^>]*)>(.*?)<\/testcase>/gs;
const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&amp;": "&",
};

/**
 * Counts the tests, and their steps, of a report that `deno test --junit-path` wrote; those that a
 * filter left out are not counted. Throws a `RangeError` where the report is not whole.
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

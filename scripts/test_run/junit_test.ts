import { deepStrictEqual, throws } from "node:assert/strict";
import { parseJunit } from "./junit.ts";

function reportOf(tests: number, ...cases: string[]): string {
  return `<testsuites name="deno test" tests="${tests}" failures="0"><testsuite name="./a_test.ts">
    ${cases.join("\n")}
  </testsuite></testsuites>`;
}

const PASSED = '<testcase name="a" classname="./a_test.ts" line="1">\n</testcase>';
const FAILED = '<testcase name="b"><failure message="no">at &lt;skipped/&gt;</failure></testcase>';
const CANCELLED = '<testcase name="c"><error message="Cancelled"/></testcase>';
const SKIPPED =
  '<testcase name="d &lt;&amp;lt;&gt; &quot;e&apos;" time="0.000"><skipped/></testcase>';
const FILTERED = '<testcase name="e time=&quot;" line="1"><skipped/></testcase>';

Deno.test("parseJunit() counts what passed, failed and was skipped, not what was filtered out", () => {
  deepStrictEqual(parseJunit(reportOf(5, PASSED, FAILED, CANCELLED, SKIPPED, FILTERED)), {
    passed: 1,
    failed: 2,
    skipped: [`d <&lt;> "e'`],
  });
  deepStrictEqual(parseJunit(reportOf(0)), { passed: 0, failed: 0, skipped: [] });
});

Deno.test("parseJunit() refuses a report that is cut or of another form", () => {
  throws(() => parseJunit(reportOf(2, PASSED)), /^RangeError: Cannot read .*: 1 of 2 tests found$/);
  throws(() => parseJunit("<html>"), RangeError);
});

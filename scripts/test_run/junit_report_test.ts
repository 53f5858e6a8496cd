import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  closingLine,
  parseJunit,
  slowestFiles,
  sum,
  tallyOf,
  tallyOfCheck,
} from "./junit_report.ts";

function reportOf(tests: number, ...cases: string[]): string {
  return `<testsuites name="deno test" tests="${tests}" failures="0"><testsuite name="./a_test.ts">
    ${cases.join("\n")}
  </testsuite></testsuites>`;
}

const PASSED = '<testcase name="a" classname="./a_test.ts" time="1.500" line="1">\n</testcase>';
const STEP = '<testcase name="a &gt; b &gt; c" classname="./a_test.ts" time="1.000"></testcase>';
const FAILED =
  '<testcase name="b" classname="./b_test.ts" time="2.000"><failure message="no">at &lt;skipped/&gt;</failure></testcase>';
const CANCELLED = '<testcase name="c"><error message="Cancelled"/></testcase>';
const SKIPPED =
  '<testcase name="d &lt;&amp;lt;&gt; &quot;e&apos;" time="0.000"><skipped/></testcase>';
const FILTERED = '<testcase name="e time=&quot;" line="1"><skipped/></testcase>';

Deno.test("parseJunit() reads name, file, outcome and time of each test and step", () => {
  const cases = parseJunit(reportOf(3, PASSED, STEP, FAILED));
  deepStrictEqual(cases, [
    { name: "a", file: "a_test.ts", outcome: "passed", seconds: 1.5, isStep: false },
    { name: "a > b > c", file: "a_test.ts", outcome: "passed", seconds: 1, isStep: true },
    { name: "b", file: "b_test.ts", outcome: "failed", seconds: 2, isStep: false },
  ]);
  deepStrictEqual(parseJunit(""), []);
});

Deno.test("parseJunit() rejects a report that is cut off or has another form", () => {
  throws(() => parseJunit(reportOf(2, PASSED)), /^RangeError: Cannot read .*: 1 of 2 tests found$/);
  throws(() => parseJunit("<html>"), RangeError);
});

Deno.test("tallyOf() counts what passed, failed and was skipped, not what was filtered out", () => {
  const cases = parseJunit(reportOf(6, PASSED, STEP, FAILED, CANCELLED, SKIPPED, FILTERED));
  deepStrictEqual(tallyOf(cases), { passed: 2, failed: 2, skipped: [`d <&lt;> "e'`] });
});

Deno.test("slowestFiles() adds up the tests of each file, without their steps", () => {
  const cases = parseJunit(reportOf(3, PASSED, STEP, FAILED));
  deepStrictEqual(slowestFiles(cases, 2), [
    { file: "b_test.ts", seconds: 2 },
    { file: "a_test.ts", seconds: 1.5 },
  ]);
  strictEqual(slowestFiles(cases, 1).length, 1);
});

Deno.test("sum() adds passed, failed and skipped", () => {
  const tests = { passed: 2, failed: 1, skipped: ["a"] };
  const checks = [tallyOfCheck(true), tallyOfCheck(false)];
  deepStrictEqual(sum([tests, ...checks, { ...tests, skipped: ["b"] }]), {
    passed: 5,
    failed: 3,
    skipped: ["a", "b"],
  });
  deepStrictEqual(sum([]), { passed: 0, failed: 0, skipped: [] });
});

Deno.test("closingLine() mentions skipped tests only if there are any", () => {
  strictEqual(closingLine({ passed: 3, failed: 0, skipped: [] }), "3 passed, 0 failed");
  strictEqual(
    closingLine({ passed: 3, failed: 1, skipped: ["a"] }),
    "3 passed, 1 failed, 1 skipped",
  );
});

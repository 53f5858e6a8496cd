import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { closingLine, countTests, parseJunit, sum, type Tally, tallyOf } from "./count_tests.ts";

const EXAMPLE = "/**\n * ```ts\n * const sum: number = 1 + 1;\n * ```\n */\nexport const a = 1;\n";

const { signal } = new AbortController();

const RUNS: readonly [name: string, files: Record<string, string>, tally: Tally][] = [
  [
    "tests of each outcome",
    {
      "a_test.ts":
        'Deno.test("a", () => {});\nDeno.test("b", () => { throw 1; });\nDeno.test.ignore("c", () => {});',
    },
    { passed: 1, failed: 1, skipped: ["c"] },
  ],
  ["examples", { "a.ts": EXAMPLE, "README.md": "```ts\nif (1 + 1 !== 2) throw 1;\n```\n" }, {
    passed: 2,
    failed: 0,
    skipped: [],
  }],
  ["an example that is wrong", { "a.ts": EXAMPLE.replace("number", "string") }, {
    passed: 0,
    failed: 1,
    skipped: [],
  }],
  ["an error while a file loads", { "a_test.ts": 'Deno.test("a", () => {});\nthrow 1;' }, {
    passed: 0,
    failed: 1,
    skipped: [],
  }],
  ["a type error", { "a_test.ts": 'const a: number = "";\nDeno.test("a", () => void a);' }, {
    passed: 0,
    failed: 1,
    skipped: [],
  }],
  ["no test", {}, { passed: 0, failed: 1, skipped: [] }],
];

for (const [name, files, tally] of RUNS) {
  Deno.test(`countTests() counts ${name}`, async () => {
    const cwd = await writeFolder(files);
    try {
      deepStrictEqual(await countTests([], { signal, cwd, output: "null" }), tally);
    } finally {
      await Deno.remove(cwd, { recursive: true });
    }
  });
}

Deno.test("countTests() passes arguments on", async () => {
  const cwd = await writeFolder({
    "a_test.ts": 'Deno.test("a", () => {});',
    "b_test.ts": 'Deno.test("b", () => { throw 1; });',
  });
  try {
    const tally = await countTests(["a_test.ts"], { signal, cwd, output: "null" });
    deepStrictEqual(tally, { passed: 1, failed: 0, skipped: [] });
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("countTests() rejects with the reason when its signal aborts", async () => {
  const cwd = await writeFolder({
    "a_test.ts": `Deno.test("a", async () => {
      await Deno.writeTextFile("started", "");
      await new Promise((resolve) => setTimeout(resolve, 300_000));
    });`,
  });
  try {
    const controller = new AbortController();
    const reason = new Error("too long");
    const run = countTests([], { signal: controller.signal, cwd, output: "null" });
    await Promise.race([creationOf("started", cwd), run]);
    controller.abort(reason);
    await rejects(run, reason);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

async function creationOf(name: string, folder: string): Promise<void> {
  for await (const { paths } of Deno.watchFs(folder)) {
    if (paths.some((path) => path.endsWith(`/${name}`))) return;
  }
}

async function writeFolder(files: Record<string, string>): Promise<string> {
  const folder = await Deno.makeTempDir();
  const all = { "deno.json": "{}", ...files };
  for (const [name, text] of Object.entries(all)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return folder;
}

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

Deno.test("parseJunit() rejects a report that is cut off or has another form", () => {
  throws(() => parseJunit(reportOf(2, PASSED)), /^RangeError: Cannot read .*: 1 of 2 tests found$/);
  throws(() => parseJunit("<html>"), RangeError);
});

Deno.test("sum() adds passed, failed and skipped", () => {
  const tests = { passed: 2, failed: 1, skipped: ["a"] };
  deepStrictEqual(sum([tests, tallyOf(true), tallyOf(false), { ...tests, skipped: ["b"] }]), {
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

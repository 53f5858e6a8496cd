import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ROOT } from "../../test_support/root.ts";
import { sourceFiles } from "../source_files.ts";
import type { Step } from "./run_steps.ts";
import { testSteps } from "./test_steps.ts";

const read = (file: string) => Deno.readTextFile(`${ROOT}/${file}`);
const files = await sourceFiles(ROOT, ["_test.ts", "_test.tsx"]);

/** The test files of steps. */
function testsOf(steps: readonly Step[]): string[] {
  return steps
    .filter(({ args }) => args[0] === "test" && !args.includes("--doc"))
    .flatMap((
      { args, together = [] },
    ) => [...together, ...args.filter((arg) => /\.tsx?$/.test(arg))]);
}

Deno.test("testSteps() has every test file once if all tests run", async () => {
  deepStrictEqual(testsOf(await testSteps(files, { all: true, read })).sort(), [...files].sort());
});

Deno.test("testSteps() leaves out only slow files in a run of every day", async () => {
  const daily = files.filter((file) => !/_slow_test\.tsx?$/.test(file));
  ok(daily.length < files.length);
  deepStrictEqual(testsOf(await testSteps(files, { all: false, read })).sort(), daily.sort());
});

Deno.test("testSteps() imports only tests together that share nothing of their process", async () => {
  const texts: Record<string, string> = {
    "mirage_graphql/a_test.ts": "Deno.test('a', () => {});",
    "mirage_graphql/env_test.ts": "Deno.env.set('A', 'b');",
    "mirage_graphql/global_test.ts": "globalThis.fetch = () => {};",
    "mirage_graphql/page_test.ts": "await openPage(url);",
    "mirage_graphql/process_test.ts": "new Deno.Command('true');",
    "mirage_graphql/a_slow_test.ts": "Deno.test('a', () => {});",
    "mirage_graphql/memory_test.ts": "Deno.memoryUsage();",
    "mcp_server/tool/a_test.ts": "Deno.test('a', () => {});",
    "mcp_server/tool/env_test.ts": "Deno.env.set('A', 'b');",
    "mcp_server/a_test.ts": "Deno.test('a', () => {});",
    "api_wrapper/a_test.ts": "Deno.test('a', () => {});",
  };
  const steps = await testSteps(Object.keys(texts), {
    all: true,
    read: (file) => Promise.resolve(texts[file] ?? ""),
  });
  const together = steps.flatMap(({ together = [] }) => together);
  deepStrictEqual(together, ["mirage_graphql/a_test.ts", "mcp_server/tool/a_test.ts"]);
});

Deno.test("testSteps() checks types once", async () => {
  for (const all of [false, true]) {
    const steps = await testSteps(files, { all, read });
    const commands = steps.map(({ args }) => args.slice(0, 2).join(" "));
    strictEqual(commands.filter((command) => command === "check --doc").length, 1);
    const tests = steps.filter(({ args }) => args[0] === "test");
    ok(tests.every(({ args }) => args.includes("--no-check")));
  }
});

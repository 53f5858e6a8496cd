import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { createTempFolder, type TempFolder } from "../../test_support/temp_folder.ts";
import type { Tally } from "./junit_report.ts";
import { runSteps, type RunStepsOptions, type Step, type StepResult } from "./run_steps.ts";

const NOTHING = { started() {}, printed() {}, ended() {} };

async function writeFolder(files: Record<string, string>): Promise<TempFolder> {
  const folder = await createTempFolder();
  for (const [name, text] of Object.entries({ "deno.json": "{}", ...files })) {
    await Deno.writeTextFile(`${folder.path}/${name}`, text);
  }
  return folder;
}

async function runAll(
  steps: readonly Step[],
  options: Partial<RunStepsOptions> & { cwd: string },
): Promise<StepResult[]> {
  const { signal } = new AbortController();
  return await Array.fromAsync(runSteps(steps, { signal, env: {}, output: NOTHING, ...options }));
}

const EXAMPLE = "/**\n * ```ts\n * const sum: number = 1 + 1;\n * ```\n */\nexport const a = 1;\n";

/** Only what is to be checked has the time for it. */
const CHECKED = /wrong|type/;

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
  Deno.test(`runSteps() counts ${name}`, async () => {
    await using folder = await writeFolder(files);
    const flags = CHECKED.test(name) ? [] : ["--no-check"];
    const args = ["test", "-A", "--doc", ...flags];
    const [result] = await runAll([{ name, args }], { cwd: folder.path });
    deepStrictEqual(result?.tally, tally);
  });
}

Deno.test("runSteps() counts a check as one test, and keeps what it prints without colors", async () => {
  await using folder = await writeFolder({});
  const print = (text: string, code: number) => `console.log("${text}"); Deno.exit(${code})`;
  const steps = [["good", 0], ["bad", 3]] as const;
  const results = await runAll(
    steps.map(([name, code]) => ({ name, args: ["eval", print(`\\x1b[1m${name}`, code)] })),
    { cwd: folder.path },
  );
  deepStrictEqual(results.map(({ tally, output }) => [tally.passed, tally.failed, output.trim()]), [
    [1, 0, "good"],
    [0, 1, "bad"],
  ]);
});

Deno.test("runSteps() imports files that run together into one module, and names the file of each test", async () => {
  await using folder = await writeFolder({
    "shared.ts": "export const seen: string[] = [];",
    "a_test.ts": 'import { seen } from "./shared.ts"; Deno.test("a", () => void seen.push("a"));',
    "b_test.ts":
      'import { seen } from "./shared.ts"; Deno.test("b", () => { if (seen[0] !== "a") throw 1; });',
  });
  const together = ["a_test.ts", "b_test.ts"];
  const [result] = await runAll([{ name: "all", args: ["test", "-A", "--no-check"], together }], {
    cwd: folder.path,
  });
  deepStrictEqual(result?.cases.map(({ file, name, outcome }) => [file, name, outcome]), [
    ["a_test.ts", "a", "passed"],
    ["b_test.ts", "b", "passed"],
  ]);
});

Deno.test("runSteps() sets the environment, runs one of a kind at a time, and what waits beside it", async () => {
  await using folder = await writeFolder({});
  const log: string[] = [];
  const observer = {
    started: ({ name }: Step) => log.push(`start ${name}`),
    printed() {},
    ended: ({ step }: StepResult) => log.push(`end ${step.name}`),
  };
  const meet = (own: string, other: string) => `
    await Deno.writeTextFile(Deno.env.get("WORD") + "${own}", "");
    while (!await Deno.stat("word-${other}").then(() => true, () => false)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }`;
  const busy = { name: "busy", args: ["eval", meet("busy", "waits")] };
  const next = { name: "next", args: ["eval", ""], env: { WORD: "other" } };
  const waits = { name: "waits", args: ["eval", meet("waits", "busy")], mostlyWaits: true };
  const env = { WORD: "word-" };
  const results = await runAll([busy, next, waits], { cwd: folder.path, env, output: observer });
  ok(results.every(({ tally }) => tally.failed === 0), JSON.stringify(results));
  deepStrictEqual(log.slice(0, 2), ["start busy", "start waits"]);
  ok(log.indexOf("start next") > log.indexOf("end busy"), log.join());
});

Deno.test("runSteps() with `failFast` ends what runs at the first failure, and starts nothing more", async () => {
  await using folder = await writeFolder({});
  const endless = {
    name: "endless",
    args: ["eval", "await new Promise(() => setInterval(() => {}, 1e9))"],
  };
  const results = await runAll([
    { name: "bad", args: ["eval", "Deno.exit(1)"] },
    { name: "never", args: ["eval", 'Deno.writeTextFileSync("ran", "")'] },
    { ...endless, mostlyWaits: true },
  ], { cwd: folder.path, failFast: true });
  deepStrictEqual(results.map(({ step }) => step.name), ["bad"]);
  await rejects(Deno.stat(`${folder.path}/ran`), Deno.errors.NotFound);
});

Deno.test("runSteps() gives steps that wait the places of busy ones when none of these is left", async () => {
  await using folder = await writeFolder({});
  const log: string[] = [];
  const observer = {
    ...NOTHING,
    started: ({ name }: Step) => log.push(`start ${name}`),
    ended: ({ step }: StepResult) => log.push(`end ${step.name}`),
  };
  const steps = ["a", "b", "c"].map((name) => ({ name, args: ["eval", ""], mostlyWaits: true }));
  await runAll(steps, { cwd: folder.path, output: observer });
  deepStrictEqual(log.slice(0, 2), ["start a", "start b"]);
  ok(/^end/.test(log[2] ?? ""), log.join());
});

Deno.test("runSteps() ends tests that print nothing more, and names the test that ran", async () => {
  await using folder = await writeFolder({
    "a_test.ts": `Deno.test("first", () => console.log("printed"));
      Deno.test("hangs ... at its end", async (t) => {
        await t.step("quick", () => {});
        await t.step("slow", () => new Promise(() => setInterval(() => {}, 1e9)));
      });`,
  });
  const timers = new Set<() => void>();
  const started = { all: 0, seen: 1 };
  const after = (ms: number, callback: () => void) => {
    strictEqual(ms, 600_000);
    timers.add(callback);
    started.all++;
    return () => void timers.delete(callback);
  };
  let printed = "";
  const observer = {
    ...NOTHING,
    printed: (_step: Step, text: string) => {
      deepStrictEqual([timers.size, started.all], [1, started.seen + 1]);
      started.seen++;
      printed += text;
      if (printed.includes("slow ...")) timers.forEach((callback) => callback());
    },
  };
  const [result, ...more] = await runAll([
    { name: "tests", args: ["test", "-A", "--no-check"] },
    { name: "next", args: ["eval", ""] },
  ], { cwd: folder.path, output: observer, after });
  strictEqual(timers.size, 0);
  strictEqual(result?.tally.failed, 1);
  strictEqual(
    result.output.trimEnd().split("\n").at(-1),
    'Cannot wait for "slow" in ./a_test.ts: it has printed nothing for 10 minutes',
  );
  deepStrictEqual(more.map(({ tally }) => tally.passed), [1]);
});

Deno.test("runSteps() rejects with the reason when its signal aborts", async () => {
  await using folder = await writeFolder({
    "a_test.ts": `Deno.test("a", async () => {
      await Deno.writeTextFile("started", "");
      await new Promise((resolve) => setTimeout(resolve, 300_000));
    });`,
  });
  const controller = new AbortController();
  const reason = new Error("too long");
  const run = runAll([{ name: "a", args: ["test", "-A", "--no-check"] }], {
    cwd: folder.path,
    signal: controller.signal,
  });
  await Promise.race([creationOf("started", folder.path), run]);
  controller.abort(reason);
  await rejects(run, reason);
});

async function creationOf(name: string, folder: string): Promise<void> {
  for await (const { paths } of Deno.watchFs(folder)) {
    if (paths.some((path) => path.endsWith(`/${name}`))) return;
  }
}

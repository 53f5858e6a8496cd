import type { Step } from "./run_steps.ts";
import { ALL_TESTS } from "../../test_support/tier.ts";

/** Which tests run, and how their files are read. */
export interface TestStepsOptions {
  /** Adds the slow tests, the examples of all pages and modules, and more random cases. */
  readonly all: boolean;
  readonly read: (file: string) => Promise<string>;
}

/** Files that only a run of all tests runs. */
const SLOW = /_slow_test\.tsx?$/;

/** Components whose tests mostly wait, for time and for processes. */
const WAITING = /^(mcp_server|tools)\//;

/** Folders of a component whose test files load the same large packages, so that one module imports them. */
const TOGETHER: Readonly<Record<string, RegExp>> = {
  mirage_graphql: /^mirage_graphql\//,
  console: /^console\//,
  mcp_server: /^mcp_server\/(access|calls|settings|shared|tool|toolkit)\//,
};

/** A test that uses a global of the process, measures it, or starts one, has a module of its own. */
const OWN_MODULE = new RegExp(
  [
    /Deno\.(Command|chdir|exit|addSignalListener|env\.(set|delete))/,
    /globalThis(\.\w+ =|, ")/,
    /console\.\w+ =/,
    /openPage|\/clients\/|serve_process/,
    /collectGarbage|memoryUsage|cpuUsage/,
  ].map(({ source }) => source).join("|"),
);

/** Folders with fewer test files than this share a step with others of their component. */
const FEW_FILES = 8;

/** Folders whose slow tests take so long that they are a step of their own. */
const SLOW_FOLDERS = ["scripts/npm", "scripts/recipes"];

/** A group with more files than this is several steps of the same size. */
const MOST_FILES = 30;

/** Groups that take longest, which therefore start first, so that no long one is left at the end. */
const LONGEST = [
  "tools/ssh-exec",
  "mcp_server/mcp",
  "mcp_server",
  "mcp_server, slow",
  "tools/sql-query",
  "tools",
  "mcp_server/run",
  "mcp_server/main",
  "mcp_server/files",
  "mcp_server/http",
  "mcp_server/jobs",
  "mcp_server/api",
  "scripts/recipes, slow",
  "scripts, slow",
  "scripts/npm, slow",
  "mirage_graphql, slow",
  "mirage_graphql, one module",
  "console, one module",
  "mcp_server, one module",
  "examples, slow",
  "api_wrapper, slow",
  "site, slow",
  "mirage_graphql/features",
  "scripts",
  "scripts/readme",
];

const CHECKS: readonly Step[] = [
  { name: "format", args: ["fmt", "--check", "--quiet"] },
  { name: "lint", args: ["lint", "--quiet"] },
  { name: "types, also of examples", args: ["check", "--doc", "--quiet"] },
  { name: "documentation", args: ["run", "-A", "scripts/checks/doc_lint.ts"] },
  { name: "import cycles", args: ["run", "-A", "scripts/checks/import_cycles.ts"] },
];

/** Types are checked once, by a step of their own. */
const TEST = ["test", "-A", "--no-check"];

/** Each example is a module of its own, which loads its packages anew. */
const EXAMPLES: Step = {
  name: "examples in documentation",
  args: [...TEST, "--doc", "--ignore=**/*_test.ts,**/*_test.tsx"],
};

/** Each example loads its packages anew; every day all are type-checked, and those of these files run. */
const DAILY_EXAMPLES: Step = {
  name: "some examples in documentation",
  args: [
    ...TEST,
    "--doc",
    "README.md",
    "api_wrapper/README.md",
    "api_wrapper/use_api.ts",
    "mcp_server/mod.ts",
    "mcp_server/toolkit.ts",
    "mirage_graphql/README.md",
    "mirage_graphql/mock/handler.ts",
    "mirage_graphql/relay/page.ts",
    "mirage_graphql/resolvers/field_resolver.ts",
  ],
};

/**
 * The steps of a run, in the order in which they begin: checks first, and beside them what waits
 * longest; then the busy ones, the longest first.
 */
export async function testSteps(
  files: readonly string[],
  { all, read }: TestStepsOptions,
): Promise<Step[]> {
  const env: Record<string, string> = all ? { [ALL_TESTS]: "1" } : { PROPERTY_RUNS: "10" };
  const tests = files.filter((file) => all || !SLOW.test(file));
  const together = await shareable(tests, read);
  const waiting = tests.filter((file) => WAITING.test(file) && !together.has(file));
  const alone = tests.filter((file) => !WAITING.test(file) && !together.has(file));
  const modules = Object.entries(TOGETHER).map(([component, folders]) => ({
    name: `${component}, one module`,
    args: TEST,
    together: [...together].filter((file) => folders.test(file)),
  }));
  const steps: Step[] = [
    ...longestFirst(groups(waiting)).map((group) => ({ ...group, mostlyWaits: true })),
    ...CHECKS,
    ...longestFirst([
      ...modules.filter((step) => step.together.length > 0),
      ...groups(alone),
      all ? EXAMPLES : DAILY_EXAMPLES,
    ]),
  ];
  return steps.map((step) => ({ ...step, env }));
}

async function shareable(
  files: readonly string[],
  read: TestStepsOptions["read"],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files) {
    const isOne = Object.values(TOGETHER).some((folders) => folders.test(file)) && !SLOW.test(file);
    if (isOne && !OWN_MODULE.test(await read(file))) found.add(file);
  }
  return found;
}

/**
 * One step for each folder, or prefix of names at a component's root, with enough files, and one for
 * the slow tests of each component, or folder of {@linkcode SLOW_FOLDERS}.
 */
function groups(files: readonly string[]): Step[] {
  const sizes = Map.groupBy(files.filter((file) => !SLOW.test(file)), folderOf);
  const members = Map.groupBy(files, (file) => {
    const [component = ""] = file.split("/");
    const folder = folderOf(file);
    if (SLOW.test(file)) return `${SLOW_FOLDERS.includes(folder) ? folder : component}, slow`;
    return (sizes.get(folder)?.length ?? 0) < FEW_FILES ? component : folder;
  });
  return [...members].flatMap(([name, all]) => {
    const parts = Math.ceil(all.length / MOST_FILES);
    const size = Math.ceil(all.length / parts);
    return Array.from({ length: parts }, (_, part) => ({
      name: parts === 1 ? name : `${name} ${part + 1}/${parts}`,
      args: [...TEST, ...all.slice(part * size, (part + 1) * size)],
    }));
  });
}

function longestFirst(steps: readonly Step[]): Step[] {
  const rank = ({ name }: Step) => {
    const index = LONGEST.indexOf(name.replace(/ \d+\/\d+$/, ""));
    return index === -1 ? LONGEST.length : index;
  };
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

/** `mcp_server/http` for a file in that folder, `tools/ssh-exec` for `tools/ssh-exec_stop_test.ts`. */
function folderOf(file: string): string {
  const [component = "", ...rest] = file.split("/");
  return `${component}/${rest.length > 1 ? rest[0] : rest[0]?.split(/[_.]/)[0]}`;
}

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { BuiltPackage } from "../build_package.ts";
import { runNpmProgram } from "../run_npm_program.ts";
import type { ClientProgram } from "./client_programs.ts";
import type { ConsumerPrograms } from "./consumer_programs.ts";
import { type Consumer, createConsumer } from "./consumer.ts";
import { type OldProgram, toJavaScript } from "./old_programs.ts";
import { listTree } from "./fixture_workspace.ts";
import { deadLinks } from "../../testing/dead_links.ts";

/** What a package exports, and what its users install with it. */
export interface PackagePromise {
  readonly name: string;
  /** The names that each entry exports, by import specifier. */
  readonly exported: Readonly<Record<string, readonly string[]>>;
  /** Peers to install, as arguments of npm. */
  readonly peers: readonly string[];
  /** The oldest peers that it supports. */
  readonly oldestPeers: readonly string[];
  readonly programs: ConsumerPrograms;
  /** Programs that users of an older version have. */
  readonly oldPrograms: readonly OldProgram[];
  /** Clients that run with it and its oldest peers. */
  readonly clients: readonly ClientProgram[];
}

/** Checks a packed package as its users see it; each check is a step of the test. */
export async function checkPackage(
  t: Deno.TestContext,
  { tarball }: BuiltPackage,
  promise: PackagePromise,
): Promise<void> {
  const { name, peers, clients } = promise;
  await t.step("publint finds no problem", () => passes("publint", ["run", tarball, "--strict"]));
  await t.step(
    "attw finds that its types and its code are the same",
    () => passes("attw", [tarball, "--profile", "esm-only"]),
  );
  await using consumer = await createConsumer(name, [tarball, ...peers]);
  await t.step("the links of its pages lead to files that it contains", async () => {
    const folder = `${consumer.folder}/node_modules/${name}`;
    const files = await listTree(folder);
    ok(files.some((path) => path.startsWith("docs/")));
    deepStrictEqual(await deadLinks(folder, files), []);
  });
  await checkImports(t, consumer, promise);
  await checkTypes(t, consumer, promise);
  await checkPeers(t, consumer, promise);
  await checkClients(t, consumer, clients);
}

/** Imports every entry from Node, as an ES module and as CommonJS. */
async function checkImports(
  t: Deno.TestContext,
  consumer: Consumer,
  { exported }: PackagePromise,
): Promise<void> {
  const kinds = [
    { kind: "of ES modules imports", file: "main.mjs", load: "await import" },
    { kind: "of CommonJS requires", file: "main.cjs", load: "require" },
  ];
  for (const { kind, file, load } of kinds) {
    await t.step(`a Node project ${kind} it`, async () => {
      const entries = Object.keys(exported).map((entry) => `${load}(${JSON.stringify(entry)})`);
      const names = await consumer.runNode(file, `${LIST}\nlist([${entries}]);`);
      deepStrictEqual(JSON.parse(names), Object.values(exported));
    });
  }
}

/** Compiles programs that use it, with the newest compiler and with older ones. */
async function checkTypes(
  t: Deno.TestContext,
  consumer: Consumer,
  { exported, programs, oldPrograms }: PackagePromise,
): Promise<void> {
  await t.step("tsc --strict accepts it, for nodenext and for bundlers", async () => {
    const old = oldPrograms.map(({ name, code }) => [`old_${name}.mts`, code]);
    const texts: Readonly<Record<string, string>> = {
      ...programsFor(Object.keys(exported)),
      ...programs.types,
      ...Object.fromEntries(old),
    };
    for (const [file, text] of Object.entries(texts)) {
      await Deno.writeTextFile(`${consumer.folder}/${file}`, text);
    }
    const files = Object.keys(texts);
    const modules = files.filter((file) => file.endsWith(".mts"));
    const faults = await Promise.all([
      consumer.compile(files, "nodenext"),
      consumer.compile(modules, "bundler"),
    ]);
    deepStrictEqual(faults.flat(), []);
  });
  await t.step(
    "compilers from 5.4 on accept its types, with only ES2022 and the DOM",
    async () => {
      await consumer.install(
        COMPILERS.map((range) => `typescript-${range}@npm:typescript@${range}`),
      );
      for (const range of COMPILERS) {
        const faults = await Promise.all([
          consumer.compileWith(`typescript-${range}`, "entries.mts", "nodenext"),
          consumer.compileWith(`typescript-${range}`, "entries.mts", "bundler"),
        ]);
        deepStrictEqual(faults.flat(), []);
      }
    },
  );
}

/** Runs a program that uses it, with the newest peers and with the oldest. */
async function checkPeers(
  t: Deno.TestContext,
  consumer: Consumer,
  { oldestPeers, programs, oldPrograms }: PackagePromise,
): Promise<void> {
  await t.step("a program that uses it runs", async () => {
    await consumer.runNode("use.mjs", programs.run);
  });
  for (const program of oldPrograms) {
    await t.step(`${program.name} of 0.1.0 prints what it printed`, async () => {
      const output = await consumer.runNode(`${program.name}.mjs`, toJavaScript(program));
      strictEqual(output, program.output);
    });
  }

  await t.step(`it also runs with ${oldestPeers.join(" and ")}`, async () => {
    await consumer.install(oldestPeers);
    await consumer.runNode("use.mjs", programs.run);
  });
}

/** Runs each client with the package in a project that has it. */
async function checkClients(
  t: Deno.TestContext,
  consumer: Consumer,
  clients: readonly ClientProgram[],
): Promise<void> {
  if (clients.length === 0) return;
  await consumer.install(clients.flatMap(({ packages }) => packages));
  for (const { name, program } of clients) {
    await t.step(`${name} runs with it`, async () => {
      await consumer.runNode("client.mjs", program);
    });
  }
}

/**
 * Versions of TypeScript that an app may have: the oldest that can read the types, and newer ones.
 */
const COMPILERS = ["5.4", "5.9", "latest"];

const LIST = `const list = (entries) => console.log(JSON.stringify(
  entries.map((entry) => Object.keys(entry).filter((key) => key !== "__esModule").sort())));`;

const PACKAGES = { publint: "publint", attw: "@arethetypeswrong/cli" };

async function passes(program: keyof typeof PACKAGES, args: readonly string[]): Promise<void> {
  const { success, output } = await runNpmProgram({ name: PACKAGES[program], program }, args);
  strictEqual(success, true, output);
}

function programsFor(entries: readonly string[]): Record<string, string> {
  const lines = (line: (name: string, entry: string) => string) =>
    entries.map((entry, at) => line(`entry${at}`, JSON.stringify(entry))).join("\n");
  return {
    "entries.mts": lines((name, entry) => `export * as ${name} from ${entry};`),
    "entries.cts": lines((name, entry) =>
      `import ${name} = require(${entry});\nexport const keysOf_${name} = Object.keys(${name});`
    ),
  };
}

import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { runNpmProgram } from "../run_npm_program.ts";
import type { ClientProgram } from "./client_programs.ts";
import type { ConsumerPrograms } from "./consumer_programs.ts";
import { createConsumer, type OwnConsumer } from "./consumer.ts";
import { listTree } from "./fixture_workspace.ts";
import { type OldProgram, toJavaScript } from "./old_programs.ts";
import { deadLinks } from "../../testing/dead_links.ts";

/** Programs for an older version. */
interface OldPrograms {
  readonly version: string;
  readonly programs: readonly OldProgram[];
}

/** A packed package: what it exports, and what its users install with it. */
export interface PackagePromise {
  readonly name: string;
  /** Path of its archive. */
  readonly tarball: string;
  /** The names that each entry exports, by import specifier. */
  readonly exported: Readonly<Record<string, readonly string[]>>;
  /** Peers to install, as arguments of npm. */
  readonly peers: readonly string[];
  /** The oldest peers that it supports. */
  readonly oldestPeers: readonly string[];
  readonly programs: ConsumerPrograms;
  /** Programs that users of older versions have. */
  readonly old: readonly OldPrograms[];
  /** Clients that run with it and its oldest peers. */
  readonly clients: readonly ClientProgram[];
}

/**
 * Checks packed packages as their users see them, all in one project; each check is a step of the
 * test. That a package imports only what it names is checked when it is built.
 */
export async function checkPackages(
  t: Deno.TestContext,
  promises: readonly PackagePromise[],
): Promise<void> {
  for (const { name, tarball } of promises) {
    await t.step(
      `publint finds no problem in ${name}`,
      () => passes("publint", ["run", tarball, "--strict"]),
    );
    await t.step(
      `attw finds that the types and the code of ${name} are the same`,
      () => passes("attw", [tarball, "--profile", "esm-only"]),
    );
  }
  const packages = promises.flatMap(({ tarball, peers }) => [tarball, ...peers]);
  const compilers = COMPILERS.map((range) => `typescript-${range}@npm:typescript@${range}`);
  await using consumer = await createConsumer([...packages, ...compilers]);
  for (const { name } of promises) {
    await t.step(`the links of the pages of ${name} lead to files that it contains`, async () => {
      const folder = `${consumer.folder}/node_modules/${name}`;
      const files = await listTree(folder);
      ok(files.some((path) => path.startsWith("docs/")));
      deepStrictEqual(await deadLinks(folder, files), []);
    });
  }
  await checkImports(t, consumer, promises);
  await checkTypes(t, consumer, promises);
  await checkPeers(t, consumer, promises);
}

/** Imports every entry from Node, as an ES module and as CommonJS. */
async function checkImports(
  t: Deno.TestContext,
  consumer: OwnConsumer,
  promises: readonly PackagePromise[],
): Promise<void> {
  const exported = entriesOf(promises);
  const kinds = [
    { kind: "of ES modules imports", file: "main.mjs", load: "await import" },
    { kind: "of CommonJS requires", file: "main.cjs", load: "require" },
  ];
  for (const { kind, file, load } of kinds) {
    await t.step(`a Node project ${kind} them`, async () => {
      const entries = Object.keys(exported).map((entry) => `${load}(${JSON.stringify(entry)})`);
      const names = await consumer.runNode(file, `${LIST}\nlist([${entries}]);`);
      deepStrictEqual(JSON.parse(names), Object.values(exported));
    });
  }
}

/** The exported names of all packages, by import specifier. */
function entriesOf(promises: readonly PackagePromise[]): Record<string, readonly string[]> {
  return Object.assign({}, ...promises.map(({ exported }) => exported));
}

/** Compiles programs that use them, with the compiler of this repository and with others. */
async function checkTypes(
  t: Deno.TestContext,
  consumer: OwnConsumer,
  promises: readonly PackagePromise[],
): Promise<void> {
  await t.step("tsc --strict accepts them, for nodenext and for bundlers", async () => {
    const old = promises.flatMap(({ name, old }) =>
      old.flatMap(({ version, programs }) =>
        programs.map((program) => [`${fileOf(name, version, program)}.mts`, program.code])
      )
    );
    const texts: Readonly<Record<string, string>> = {
      ...programsFor(Object.keys(entriesOf(promises))),
      ...Object.assign({}, ...promises.map(({ programs }) => programs.types)),
      ...Object.fromEntries(old),
    };
    for (const [file, text] of Object.entries(texts)) {
      await Deno.writeTextFile(`${consumer.folder}/${file}`, text);
    }
    const files = Object.keys(texts);
    const modules = files.filter((file) => file.endsWith(".mts"));
    deepStrictEqual(consumer.compile(files, "nodenext"), []);
    deepStrictEqual(consumer.compile(modules, "bundler"), []);
  });
  await t.step("compilers from 5.4 on accept them, with only ES2022 and the DOM", async () => {
    for (const range of COMPILERS) {
      for (const resolution of ["nodenext", "bundler"] as const) {
        const compiler = `typescript-${range}`;
        deepStrictEqual(await consumer.compileWith(compiler, "entries.mts", resolution), []);
      }
    }
  });
}

/** Runs programs that use them, with the newest peers and with the oldest, and clients. */
async function checkPeers(
  t: Deno.TestContext,
  consumer: OwnConsumer,
  promises: readonly PackagePromise[],
): Promise<void> {
  const runAll = async () => {
    for (const { programs } of promises) await consumer.runNode("use.mjs", programs.run);
  };
  await t.step("programs that use them run", runAll);
  const old = promises.flatMap(({ name, old }) => old.map((one) => ({ name, ...one })));
  for (const { name, version, programs } of old) {
    await t.step(`the programs of ${name} ${version} print what they printed`, async () => {
      const files = programs.map((program) => fileOf(name, version, program));
      for (const [at, program] of programs.entries()) {
        await Deno.writeTextFile(`${consumer.folder}/${files[at]}.mjs`, toJavaScript(program));
      }
      const printed = await consumer.runNode("old.mjs", RUN_EACH(files));
      const outputs = programs.map(({ output }, at) => `# ${files[at]}\n${output}`);
      strictEqual(printed, outputs.join(""));
    });
  }

  const oldest = promises.flatMap(({ oldestPeers }) => oldestPeers);
  const clients = promises.flatMap(({ clients }) => clients);
  await consumer.install([...oldest, ...clients.flatMap(({ packages }) => packages)]);
  await t.step(`they also run with ${oldest.join(" and ")}`, runAll);
  for (const { name, program } of clients) {
    await t.step(`${name} runs with them`, async () => {
      await consumer.runNode("client.mjs", program);
    });
  }
}

/** The name of an older version's program in the project, without an extension. */
function fileOf(name: string, version: string, program: OldProgram): string {
  return `old_${name.replace(/^.*\//, "")}_${version}_${program.name}`;
}

/** Prints the name of each program, and runs it. */
const RUN_EACH = (files: readonly string[]) =>
  files.map((file) => `console.log("# ${file}");\nawait import("./${file}.mjs");\n`).join("");

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

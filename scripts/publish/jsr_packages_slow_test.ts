import { deepStrictEqual, fail, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ROOT } from "../../test_support/root.ts";
import { exportedFiles, readMembers } from "../workspace.ts";
import { type PublishedPackage, publishedPackages } from "./published_packages.ts";
import { type Downloads, readDownloads, startOnce } from "../testing/first_start.ts";
import { createCleanCheckout } from "./testing/clean_checkout.ts";
import { DENO_APP } from "./testing/deno_app.ts";
import { packSources } from "./testing/pack_sources.ts";
import { deadLinks } from "../testing/dead_links.ts";

/** Files that only contributors need. */
const NEEDLESS = /_(test|bench)\.\w+$|(^|\/)(testing|testdata|bench|examples)\//;

/** What pages of a package show and link to, beside them. */
const SHOWN = /\/docs\/[\w-]+\.(webp|json)$/;

/** What an app that imports only one entry may download. */
const MOST_PACKAGES = 40;
const MOST_BYTES = 20_000_000;

const ENTRIES = [
  "@trestle/mirage-graphql",
  "@trestle/mcp-server",
  "@trestle/mcp-server/toolkit",
  "@trestle/mcp-server/ending",
  "@trestle/api-wrapper/core",
];

/** The entries that need no package. */
const ALONE: ReadonlySet<string> = new Set([
  "@trestle/mcp-server/ending",
  "@trestle/api-wrapper/core",
]);

/** Packages that an app of all three imports directly. */
const OWN_IMPORTS = ["axios", "miragejs"];

Deno.test("the packages work as published on JSR", async (t) => {
  await using checkout = await createCleanCheckout(ROOT);
  const root = checkout.path;
  let packages: PublishedPackage[] = [];

  await t.step("deno publish accepts all of them from a clean tree", async () => {
    packages = await publishedPackages(root);
    const members = await readMembers(root);
    deepStrictEqual(
      packages.map(({ name, version }) => `${name}@${version}`).sort(),
      members.map(({ name, version }) => `${name}@${version}`).sort(),
    );
  });

  await t.step(
    "they contain sources and documents, but no test, benchmark or example",
    async () => {
      const files = packages.flatMap(({ files }) => files);
      deepStrictEqual(files.filter((path) => NEEDLESS.test(path)), []);
      const isExpected = (path: string) =>
        /\.(ts|md)$|\/(deno\.json|openapi\.json|console_files\.js)$/.test(path) || SHOWN.test(path);
      deepStrictEqual(files.filter((path) => !isExpected(path)), []);
      for (const { folder } of await readMembers(root)) {
        for (const name of ["deno.json", "README.md", "CHANGELOG.md"]) {
          ok(files.includes(`${folder}/${name}`), `${folder}/${name}`);
        }
      }
      for (const path of await exportedFiles(root)) ok(files.includes(path), path);
    },
  );

  await t.step("the links of their pages lead to files that they contain", async () => {
    for (const { files } of packages) {
      ok(files.some((path) => path.includes("/docs/")), files[0]);
      deepStrictEqual(await deadLinks(root, files), []);
    }
  });

  await using app = await createTempFolder();
  let exported: Record<string, string> = {};

  await t.step("a Deno app outside of the repository uses all three", async () => {
    const { imports } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
    const target = `${app.path}/packages`;
    exported = await packSources({ root, packages, target, imports });
    const own = OWN_IMPORTS.map((name) => [name, imports[name]]);
    await write(app.path, {
      ...DENO_APP,
      "deno.json": JSON.stringify({ imports: { ...exported, ...Object.fromEntries(own) } }),
      // so that the app gets the tested versions
      "deno.lock": await Deno.readTextFile(`${root}/deno.lock`),
    });
    const files = ["main.ts", "tools/greet.ts", ...Object.values(exported)];
    strictEqual(await run(app.path, ["check", ...files]), "");
    strictEqual(await run(app.path, ["run", "-A", "--quiet", "main.ts"]), "all three work\n");
  });

  for (const entry of ENTRIES) {
    await t.step(`an app that imports ${entry} downloads only what it needs`, async () => {
      const { packages, bytes } = await downloadsOf(exported[entry] ?? "");
      ok(packages.length <= MOST_PACKAGES && bytes <= MOST_BYTES, `${bytes}: ${packages}`);
      strictEqual(packages.length === 0, ALONE.has(entry));
    });
  }

  await t.step(
    "an app that imports @trestle/api-wrapper downloads Vue and nothing else",
    async () => {
      const { imports } = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
      const { packages } = await downloadsOf(exported["@trestle/api-wrapper"] ?? "");
      deepStrictEqual(packages, (await downloadsOf(imports.vue)).packages);
    },
  );

  await t.step("the program that serves a mock shows GraphiQL", async () => {
    const program = exported["@trestle/mirage-graphql/serve"] ?? "";
    strictEqual(await statusOfPage(app.path, program), 200);
  });
});

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await Deno.mkdir(`${folder}/tools`);
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
}

/** Returns what an app with one import downloads, in its own folder. */
async function downloadsOf(specifier: string): Promise<Downloads> {
  await using folder = await createTempFolder();
  const cwd = folder.path;
  const cache = `${cwd}/cache`;
  await Deno.writeTextFile(`${cwd}/deno.json`, "{}");
  await Deno.writeTextFile(`${cwd}/main.ts`, `import "${specifier}"; console.log("ready");`);
  await startOnce(["run", "-A", "main.ts"], { cwd, cache, ready: /^ready$/m });
  return await readDownloads(cache);
}

/** Serves the app's schema with the published program, and requests the page as a browser does. */
async function statusOfPage(cwd: string, program: string): Promise<number> {
  const args = ["run", "-A", "--quiet", program, "schema.graphql", "--port", "0"];
  const child = new Deno.Command(Deno.execPath(), { args, cwd, stdout: "piped" }).spawn();
  try {
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).values();
    const { value: line = "" } = await lines.next();
    const url = /http:\S+\//.exec(line)?.[0] ?? fail(`Cannot find the address in "${line}"`);
    const response = await fetch(url, { headers: { Accept: "text/html" } });
    await response.body?.cancel();
    await lines.return?.();
    return response.status;
  } finally {
    child.kill();
    await child.status;
  }
}

/** Runs Deno in a folder; returns its stdout. */
async function run(cwd: string, args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd, env: { NO_COLOR: "1" } });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  ok(success, decoder.decode(stderr));
  return decoder.decode(stdout);
}

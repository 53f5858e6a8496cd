import { deepStrictEqual, fail, ok, strictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { connectOverStdio } from "../../mcp_server/testing/mcp_peer.ts";
import { v2Sdk } from "../../mcp_server/testing/v2_client.ts";
import { ROOT } from "../../test_support/root.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { deadLinks } from "../testing/dead_links.ts";
import { type Downloads, readDownloads, startOnce } from "../testing/first_start.ts";
import { readMembers } from "../workspace.ts";
import { stagePackages } from "./stage_packages.ts";
import { DENO_APP } from "./testing/deno_app.ts";
import { listFiles, startLocalJsr } from "./testing/local_jsr.ts";

/** Files that only contributors need. */
const NEEDLESS = /_(test|bench)\.\w+$|(^|\/)(testing|testdata|bench|examples)\//;

/** What pages of a package show and link to, beside them. */
const SHOWN = /\/docs\/[\w-]+\.(webp|json|yml)$/;

/** What an app that imports only one entry may download. */
const MOST_PACKAGES = 40;
const MOST_BYTES = 20_000_000;

const ENTRIES = [
  "@trestle/mirage-graphql",
  "@trestle/mcp-server",
  "@trestle/mcp-server/main",
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

/** Suites that start servers of their own, and so run against any program. */
const SUITES = [
  "mcp_server/main_own_rights_test.ts",
  "mcp_server/main_timeouts_test.ts",
  "mcp_server/mcp/mcp_clients_stop_test.ts",
];

/** Their tests that differ in what they need of the program. */
const STARTS = [
  "--read-only lets no statement",
  "a time-out beyond",
  "the end of a call over stdio",
];

Deno.test("the packages work as published on JSR", async (t) => {
  await using stage = await createTempFolder();
  await using jsr = await startLocalJsr();
  await using app = await createTempFolder();
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`));
  const env = { ...jsr.env, DENO_DIR: `${app.path}/cache` };
  const members = await readMembers(ROOT);

  await t.step("deno publish accepts all of them", async () => {
    await stagePackages(ROOT, stage.path);
    // an app checks the types of what is published, in a later step
    const args = ["publish", "--token", "a", "--no-provenance", "--no-check"];
    await run(stage.path, args, jsr.env);
    const published = await listFiles(jsr.folder.path);
    const packages = new Set(published.map((path) => path.split("/").slice(0, 3).join("/")));
    deepStrictEqual(
      [...packages].sort(),
      members.map(({ name, version }) => `${name}/${version}`).sort(),
    );
  });

  await t.step(
    "they contain sources and documents, but no test, benchmark or example",
    async () => {
      const files = await listFiles(jsr.folder.path);
      deepStrictEqual(files.filter((path) => NEEDLESS.test(path)), []);
      const isExpected = (path: string) =>
        /\.(ts|md)$|\/(deno\.json|openapi\.json|console_files\.js)$/.test(path) || SHOWN.test(path);
      deepStrictEqual(files.filter((path) => !isExpected(path)), []);
      for (const { name, version, exports } of members) {
        for (const file of ["deno.json", "README.md", "CHANGELOG.md", ...Object.values(exports)]) {
          ok(files.includes(`${name}/${version}/${file.replace("./", "")}`), `${name}/${file}`);
        }
      }
    },
  );

  await t.step("the links of their pages lead to files that they contain", async () => {
    const files = await listFiles(jsr.folder.path);
    ok(files.some((path) => path.includes("/docs/")), String(files[0]));
    deepStrictEqual(await deadLinks(jsr.folder.path, files), []);
  });

  await t.step("a Deno app outside of the repository uses all three", async () => {
    const own = OWN_IMPORTS.map((name) => [name, imports[name]]);
    const published = members.map(({ name, version }) => [name, `jsr:${name}@${version}`]);
    await write(app.path, {
      ...DENO_APP,
      "deno.json": JSON.stringify({ imports: Object.fromEntries([...published, ...own]) }),
    });
    const entries = members.flatMap(({ name, exports }) =>
      Object.keys(exports).map((entry) => `jsr:${entry.replace(".", name)}`)
    );
    await run(app.path, ["check", "--quiet", "main.ts", "tools/greet.ts", ...entries], env);
    strictEqual(await run(app.path, ["run", "-A", "--quiet", "main.ts"], env), "all three work\n");
  });

  for (const entry of ENTRIES) {
    await t.step(`an app that imports ${entry} downloads only what it needs`, async () => {
      const { packages, bytes } = await downloadsOf(`jsr:${entry}`, jsr.env);
      ok(packages.length <= MOST_PACKAGES && bytes <= MOST_BYTES, `${bytes}: ${packages}`);
      strictEqual(packages.length === 0, ALONE.has(entry));
    });
  }

  await t.step(
    "an app that imports @trestle/api-wrapper downloads Vue and nothing else",
    async () => {
      const { packages } = await downloadsOf("jsr:@trestle/api-wrapper", jsr.env);
      deepStrictEqual(packages, (await downloadsOf(imports.vue)).packages);
    },
  );

  await t.step("the program that serves a mock shows GraphiQL", async () => {
    strictEqual(await statusOfPage(app.path, "jsr:@trestle/mirage-graphql/serve", env), 200);
  });

  const program = `${app.path}/trestle-mcp`;

  await t.step(
    "the tool server starts by its name, with its tools and one of its own",
    async () => {
      await Deno.writeTextFile(program, toScript(env));
      await Deno.chmod(program, 0o755);
      const greet = DENO_APP["tools/greet.ts"]?.replace("@trestle/", "jsr:@trestle/") ?? "";
      await Deno.mkdir(`${app.path}/own`);
      await Deno.writeTextFile(`${app.path}/own/greet.ts`, greet);
      const args = ["--tools", `${app.path}/own`];
      await using peer = await connectOverStdio(v2Sdk("2026-07-28"), { program, args });
      const names = (await peer.listTools()).tools.map(({ name }) => name);
      deepStrictEqual(names.sort(), [...BUILT_IN_TOOLS, "greet"].sort());
      const { structuredContent } = await peer.callTool("greet", { name: "Ada" });
      deepStrictEqual(structuredContent, { greeting: "Hello, Ada\n" });
    },
  );

  await t.step("the suites of time-outs, of rights and of stopping pass with it", async () => {
    const args = ["test", "-A", "--no-check", "--quiet", `--filter=/${STARTS.join("|")}/`];
    const report = await run(ROOT, [...args, ...SUITES], { TRESTLE_TEST_PROGRAM: program });
    deepStrictEqual(STARTS.filter((name) => !report.includes(name)), [], report);
  });
});

/** A program that starts the published server, with nothing of this repository. */
function toScript(env: Readonly<Record<string, string>>): string {
  const assigned = Object.entries(env).map(([name, value]) => `${name}='${value}'`).join(" ");
  const flags = "-A --quiet --no-config --no-lock";
  return `#!/bin/sh
export ${assigned}
exec '${Deno.execPath()}' run ${flags} jsr:@trestle/mcp-server/main "$@"
`;
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await Deno.mkdir(`${folder}/tools`);
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
}

/** Returns what an app with one import downloads, in its own folder. */
async function downloadsOf(
  specifier: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Downloads> {
  await using folder = await createTempFolder();
  const cwd = folder.path;
  const cache = `${cwd}/cache`;
  // a program that serves goes on, and says so itself
  const isProgram = specifier.endsWith("/main");
  const env = { ...settings, MCP_PORT: "0", MCP_DATA_DIR: `${cwd}/data` };
  const ready = isProgram ? /\/mcp and \/api/ : /^ready$/m;
  await Deno.writeTextFile(`${cwd}/deno.json`, "{}");
  await Deno.writeTextFile(`${cwd}/main.ts`, `import "${specifier}"; console.log("ready");`);
  await startOnce(["run", "-A", isProgram ? specifier : "main.ts"], { cwd, cache, env, ready });
  return await readDownloads(cache);
}

/** Serves the app's schema with the published program, and requests the page as a browser does. */
async function statusOfPage(
  cwd: string,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const args = ["run", "-A", "--quiet", program, "schema.graphql", "--port", "0"];
  const child = new Deno.Command(Deno.execPath(), { args, cwd, env, stdout: "piped" }).spawn();
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
async function run(
  cwd: string,
  args: string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd, env: { NO_COLOR: "1", ...env } });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  ok(success, decoder.decode(stdout) + decoder.decode(stderr));
  return decoder.decode(stdout);
}

import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { BUILT_IN_TOOLS } from "../../mcp_server/testing/built_in_tools.ts";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { ROOT } from "../../test_support/root.ts";
import { compileServer, faultOf } from "./compile_server.ts";
import { ANY_PROGRAM, createCompiledServer } from "./testing/compiled_server.ts";

/** Packages, of which most files are left out. */
const MOST_PACKAGE_BYTES = 4_950_000;
/** Beside them, the server's own sources, once as they are and once for V8. */
const MOST_BYTES = 9_300_000;

/** The packages that the server and its tools import, and those that these depend on. */
const PACKAGES = [
  ["@modelcontextprotocol/server", "@modelcontextprotocol/core", "zod"],
  ["pg", "pg-cloudflare", "pg-connection-string", "pg-int8", "pg-pool", "pg-protocol"],
  ["pg-types", "pgpass", "split2", "xtend"],
  ["postgres-array", "postgres-bytea", "postgres-date", "postgres-interval"],
  ["ssh2", "asn1", "bcrypt-pbkdf", "safer-buffer", "tweetnacl"],
  ["cpu-features", "buildcheck", "nan", "re2js", "diff"],
  ["pg-boss", "@opentelemetry/api", "cron-parser", "luxon", "rrule-temporal", "temporal-spec"],
  ["serialize-error", "non-error", "tagged-tag", "type-fest"],
  ["jose", "prom-client", "tdigest", "bintrees"],
].flat().sort();

const PACKAGE = /^\.deno_compile_node_modules\/[^/]+\/((?:@[^/]+\/)?[^/]+)\//;

Deno.test("compileServer() embeds the tools and what they need, in less than 9.3 MB", async () => {
  await using server = await createCompiledServer();
  const { files, bytes } = server.tree;
  const paths = [...files.keys()];
  const packages = new Set(paths.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []));
  const own = paths.filter((path) => !PACKAGE.test(path));
  const tools = own.filter((path) => /^tools\/[^/]+$/.test(path));
  deepStrictEqual([...packages].sort(), PACKAGES);
  deepStrictEqual(tools, BUILT_IN_TOOLS.map((name) => `tools/${name}.ts`));
  ok(own.includes("mcp_server/api/console_files.js"));
  deepStrictEqual(own.filter((path) => !/^(tools|mcp_server)\//.test(path)), []);
  deepStrictEqual(own.filter((path) => /_test\.ts$|\/(testing|testdata|bench)\//.test(path)), []);
  const ofPackages = [...files].filter(([path]) => PACKAGE.test(path))
    .reduce((total, [, { length }]) => total + length, 0);
  ok(ofPackages < MOST_PACKAGE_BYTES, `${ofPackages} bytes are of packages`);
  ok(bytes < MOST_BYTES, `${bytes} bytes are embedded`);
});

Deno.test("compileServer() bakes in the permissions of `deno task start`, and no others", async () => {
  await using server = await createCompiledServer();
  const { permissions, entrypoint_key, unstable_config } = server.tree.metadata;
  const { allow_import: _hosts, ...rights } = permissions;
  const given = Object.entries(rights).filter(([, value]) => value !== null);
  deepStrictEqual(Object.fromEntries(given), {
    allow_env: [],
    allow_net: [],
    allow_read: [],
    allow_run: [],
    allow_sys: [],
    allow_write: [],
    prompt: false,
  });
  strictEqual(entrypoint_key, "mcp_server/main.ts");
  deepStrictEqual(unstable_config.features, ["no-legacy-abort", "npm-lazy-caching"]);
});

Deno.test("compileServer() names a program after its architecture, and this machine's without it as well", async () => {
  await using server = await createCompiledServer();
  const { folder: { path }, made } = server;
  const own = [`trestle-mcp-${Deno.build.arch}`, "trestle-mcp"];
  deepStrictEqual(made, own);
  for (const program of own) {
    const { mode } = await Deno.stat(`${path}/${program}`);
    strictEqual((mode ?? 0) & 0o111, 0o111, program);
  }
});

Deno.test("compileServer() rejects an unusable base program before it starts", async () => {
  await using folder = await createTempFolder();
  const other = Deno.build.arch === "x86_64" ? "aarch64" : "x86_64";
  const refuses = (basePath: string, message: RegExp) =>
    rejects(
      compileServer({ root: ROOT, folder: folder.path, architectures: [other], basePath }),
      { name: "RangeError", message },
    );
  await refuses(ANY_PROGRAM, /^Cannot use DENORT_BIN ".*true": it is not a Linux program for \w+$/);
  await refuses(`${ROOT}/deno.json`, /^Cannot use DENORT_BIN ".*": it is not a Linux program for/);
  await refuses(
    "/nowhere/denort",
    /^Cannot use DENORT_BIN "\/nowhere\/denort": it does not exist$/,
  );
  await refuses(folder.path, /^Cannot use DENORT_BIN ".*": it can't be read$/);
  deepStrictEqual(await Array.fromAsync(Deno.readDir(folder.path)), []);
});

Deno.test("faultOf() says in one line what to do if the base program can't be downloaded", async () => {
  await using folder = await createTempFolder();
  const entry = `${folder.path}/main.ts`;
  await Deno.writeTextFile(entry, "");
  const compile = new Deno.Command(Deno.execPath(), {
    args: ["compile", "--no-config", `--output=${folder.path}/main`, entry],
    clearEnv: true,
    env: { DENO_DIR: `${folder.path}/cache`, HTTPS_PROXY: "http://127.0.0.1:9", NO_COLOR: "1" },
  });
  const { success, stderr } = await compile.output();
  strictEqual(success, false);
  match(
    faultOf(new TextDecoder().decode(stderr), "x86_64"),
    /^Cannot compile for x86_64: .* can't be downloaded from https:.*\.zip; .*set DENORT_BIN .*$/,
  );
});

Deno.test("faultOf() passes on what Deno reports about the sources", () => {
  strictEqual(
    faultOf("error: Module not found\n    at main.ts:1:1\n", "aarch64"),
    "Cannot compile for aarch64: error: Module not found\n    at main.ts:1:1",
  );
});

import * as z from "zod";
import { packagesOf, pathIn, readModuleGraph } from "../module_graph.ts";

/** What goes into the program. */
export interface ProgramParts {
  /** The file that runs first. */
  readonly entry: string;
  /** Modules that are loaded by computed names. */
  readonly modules: readonly string[];
  /** Paths to leave out of the program. */
  readonly excluded: readonly string[];
  /** Permission flags of the program, which can't be changed later. */
  readonly permissions: readonly string[];
}

const ENTRY = "mcp_server/main.ts";
/** What the server loads once it has read its settings. */
const SERVER = ["mcp_server/app.ts", "mcp_server/serve.ts"];
/** What it loads for its first client of MCP. */
const MCP = ["http", "server", "stdio"].map((name) => `mcp_server/mcp/mcp_${name}.ts`);
const TOOLS = "tools";
/** The program of the file tools' threads. */
const FILE_THREAD = "mcp_server/files/file_thread_main.ts";
/** The programs of worker processes, which the server starts by their paths. */
export const WORKERS: readonly string[] = [
  "mcp_server/files/file_process_main.ts",
  "mcp_server/toolkit/sql/sqlite_worker.ts",
];
/** What is loaded only with OAuth. */
const OAUTH = "mcp_server/access/jose_package.ts";
/** What is loaded once the server counts what it does. */
const METRICS = "mcp_server/calls/series.ts";
/** What is loaded only if calls are traced. */
const TRACING = "mcp_server/calls/tracing.ts";
/** What servers that share their jobs need, and others do not download. */
const JOB_QUEUE = "mcp_server/fleet/boss_module.ts";

const Manifest = z.object({ tasks: z.object({ start: z.object({ command: z.string() }) }) });

/** Finds what goes into the server's program; its permissions are those of `deno task start`. */
export async function findProgramParts(root: string): Promise<ProgramParts> {
  const others = [FILE_THREAD, ...WORKERS, OAUTH, METRICS, TRACING, JOB_QUEUE];
  const modules = [...SERVER, ...await toolFiles(root), ...others, ...await lateModules(root)];
  return {
    entry: ENTRY,
    modules,
    excluded: needlessFiles(await readNpmPackages(root, [ENTRY, ...modules])),
    permissions: await startPermissions(root),
  };
}

/** How a module names another one that it loads with `lateModule()`. */
const LATE_MODULE = /^[^*\n]*\blateModule<typeof import\("(\.[^"]+)"\)>/gm;

/** What every server loads by computed names after its start: on first use, or when it has time. */
export async function lateModules(root: string): Promise<string[]> {
  const { modules } = await readModuleGraph(root, [...SERVER, ...MCP, ...await toolFiles(root)]);
  const found = new Set(MCP);
  for (const { specifier } of modules) {
    if (pathIn(root, specifier) === undefined || !specifier.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(new URL(specifier));
    for (const [, path = ""] of text.matchAll(LATE_MODULE)) {
      found.add(pathIn(root, new URL(path, specifier).href) ?? path);
    }
  }
  return [...found].sort();
}

async function toolFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  for await (const { name } of Deno.readDir(`${root}/${TOOLS}`)) {
    if (name.endsWith(".ts") && !name.endsWith("_test.ts")) files.push(`${TOOLS}/${name}`);
  }
  return files.sort();
}

async function startPermissions(root: string): Promise<string[]> {
  const manifest: unknown = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  const { command } = Manifest.parse(manifest).tasks.start;
  return command.split(" ").filter((word) => word.startsWith("--allow-"));
}

/** A package of the npm registry, as Deno keeps it. */
export interface NpmPackage {
  /** Folder of its files. */
  readonly folder: string;
  /** Paths of its files in that folder. */
  readonly files: readonly string[];
}

/**
 * Lists the packages that the given files of the repository import, with all their dependencies.
 */
export async function readNpmPackages(
  root: string,
  entries: readonly string[],
): Promise<NpmPackage[]> {
  const packages = packagesOf(await readModuleGraph(root, entries));
  const folders = Object.values(packages).map(({ localPath }) => localPath);
  return await Promise.all(
    folders.map(async (folder) => ({ folder, files: await listFiles(folder) })),
  );
}

async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const files: string[] = [];
  try {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) files.push(...await listFiles(`${folder}/${name}`, `${prefix}${name}/`));
      else files.push(prefix + name);
    }
  } catch (error) {
    // Packages for other systems are listed, but not installed.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files;
}

const PROGRAM = /\.([cm]?js|json|node|wasm)$/;
/** A bundle for browsers: for their script elements, an AMD loader, or a bundler. */
const FOR_BROWSERS = /\.umd(\.min)?\.js$|(^|\/)(amd|global|cjs-browser)\/[^/]*\.js$/;
const LICENSE = /(^|\/)(licen[sc]e|notice|copying)[^/]*$/i;
const ASIDE = /^(tests?|specs|examples?|docs?|deps)\/|\.(test|spec)\.[cm]?js$/;

/**
 * The files of packages that no program reads while it runs: types, source maps, TypeScript and C
 * sources, CommonJS copies of ES modules, bundles for browsers, what was built into a bundle, tests,
 * texts other than licenses. They are three quarters of what would be embedded.
 */
export function needlessFiles(packages: readonly NpmPackage[]): string[] {
  return packages.flatMap(({ folder, files }) => {
    const all = new Set(files);
    const chunks = new Set(files.flatMap((file) => /\.m?js$/.test(file) ? chunkOf(file) : []));
    const isBuilt = files.some((file) => BUILT.test(file));
    const unused = UNUSED.filter(([name]) => folder.includes(`/${name}/`));
    return files.filter((file) =>
      !isNeeded(file) || isCopy(file, all) || isChunkCopy(file, chunks) ||
      isBuilt && SOURCE.test(file) || unused.some(([, part]) => part.test(file))
    ).map((file) => `${folder}/${file}`);
  });
}

/** Parts of packages that neither the server nor another package imports. */
const UNUSED: readonly (readonly [name: string, files: RegExp])[] = [
  ["zod", /^(v3|mini|v4\/mini|v4-mini)\/.*\.js$|^compile\.js$/],
  // cron-parser requires the build for Node.
  ["luxon", /^build\/es6\//],
  ["pg-boss", /^dist\/cli\.js$/],
  // The client that needs libpq, and a test beside the sources.
  ["pg", /^lib\/native\//],
  ["split2", /^(test|bench)\.js$/],
  ["xtend", /^test\.js$/],
  ["tdigest", /^(distributions|example|gruntfile)\.js$/],
  // Tokens are verified, and neither signed nor encrypted.
  ["jose", /^dist\/webapi\/(jwe|jwk|jws|key)\/|^dist\/webapi\/(index|jwt\/(?!verify)\w+)\.js$/],
  [
    "jose",
    /^dist\/webapi\/(jwks\/remote|lib\/(asn1|content|deflate|jwe|jws_sign|key_[am])\w*)\.js$/,
  ],
  ["@modelcontextprotocol/server", /^dist\/(cfWorkerProvider|shims(Workerd|Browser))\b.*\.mjs$/],
  // The extension of skills, which the server does not serve.
  ["@modelcontextprotocol/server", /^dist\/(ext\/|extension-).*\.mjs$/],
  // The server imports the entry for itself alone.
  ["@modelcontextprotocol/core", /^dist\/(ext\/.*|index)\.mjs$/],
  ["tweetnacl", /^nacl\.js$/],
  // The server imports the ES module that creates patches.
  ["diff", /^(dist|libcjs)\/|^libesm\/(?!patch\/create|diff\/(base|line)|util\/params).*\.js$/],
  // CommonJS copies, browser bundles and an entry that nothing imports.
  ["ssh-config", /^dist\/.*\.js$/],
  ["bintrees", /^dist\/.*\.js$/],
  ["rrule-temporal", /^dist\/totext\.js$/],
  // What compiles native code, of which the program has none, and the license of that code.
  ["cpu-features", /^deps\/|^buildcheck\.js$/],
  ["buildcheck", /\.js$/],
  ["nan", /\.js$/],
  ["safer-buffer", /^(tests|dangerous)\.js$/],
];

/** What a bundler makes of the folder `src` of a package. */
const BUILT = /^build\/.*\.mjs$/;
const SOURCE = /^src\/.*\.js$/;

/** The server imports packages; nothing requires what has a copy for `import` beside it. */
function isCopy(file: string, files: ReadonlySet<string>): boolean {
  if (file.endsWith(".min.js")) return files.has(file.replace(/\.min\.js$/, ".js"));
  if (!file.endsWith(".cjs")) return false;
  const stem = file.slice(0, -".cjs".length);
  return files.has(`${stem}.js`) || files.has(`${stem}.mjs`);
}

/** A part of a CommonJS copy, whose name differs from that of its ES module in the hash alone. */
function isChunkCopy(file: string, chunks: ReadonlySet<string>): boolean {
  return file.endsWith(".cjs") && chunkOf(file).some((name) => chunks.has(name));
}

/** The name of a bundler's chunk without its hash, if it is one. */
function chunkOf(file: string): string[] {
  const name = /^(.*)-[\w-]{8}\.[cm]?js$/.exec(file)?.[1];
  return name === undefined ? [] : [name];
}

function isNeeded(file: string): boolean {
  if (LICENSE.test(file)) return true;
  return PROGRAM.test(file) && !ASIDE.test(file) && !FOR_BROWSERS.test(file);
}

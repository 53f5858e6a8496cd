import { dirname, relative } from "node:path/posix";
import { ROOT } from "../../test_support/root.ts";
import { packagesOf, pathIn, readModuleGraph } from "../module_graph.ts";
import { runNpmProgram } from "./run_npm_program.ts";

/** Where the sources are, and where the output goes. */
export interface CompileFolders {
  /** Folder of the member. */
  readonly from: string;
  /** Folder that gets the JavaScript, the types and the source maps. */
  readonly to: string;
}

/** A global or method that Node 20 or the platform lacks, such as `Deno`, is an error. */
const OPTIONS = {
  target: "ES2022",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"],
  module: "NodeNext",
  moduleDetection: "force",
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  declaration: true,
  sourceMap: true,
  inlineSources: true,
  noEmitOnError: true,
  preserveSymlinks: true,
};

/** The globals that sources may use, in addition to those that browsers and Node share. */
const GLOBALS = { browser: [], node: ["node"] } as const;

/**
 * Compiles copies of the sources, so that a source map names only its own file, and collects the
 * output. Rejects with the compiler's errors.
 */
export async function compileSources(
  { files, packages }: MemberSources,
  { from, to }: CompileFolders,
  platform: keyof typeof GLOBALS,
): Promise<void> {
  const stage = await Deno.makeTempDir({ prefix: "npm-build-" });
  try {
    for (const file of files) await copy(`${from}/${file}`, `${stage}/${file}`);
    for (const [name, folder] of Object.entries(packages)) await link(folder, stage, name);
    await Deno.writeTextFile(`${stage}/package.json`, JSON.stringify({ type: "module" }));
    const compilerOptions = { ...OPTIONS, types: GLOBALS[platform] };
    const config = JSON.stringify({ compilerOptions, files });
    await Deno.writeTextFile(`${stage}/tsconfig.json`, config);
    await runCompiler(stage);
    for (const file of files) {
      const base = file.replace(/\.ts$/, "");
      for (const made of [`${base}.js`, `${base}.js.map`]) {
        await copy(`${stage}/${made}`, `${to}/${made}`);
      }
      const types = await Deno.readTextFile(`${stage}/${base}.d.ts`);
      await Deno.writeTextFile(`${to}/${base}.d.ts`, withLibs(namingJavaScript(types)));
    }
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/** Types with `.js` in relative imports: the compiler leaves `.ts`, which isn't packed. */
function namingJavaScript(types: string): string {
  return types.replaceAll(/((?:\bfrom|\bimport\()\s*")(\.{1,2}\/[^"]+)\.ts"/g, '$1$2.js"');
}

/** Types that reference the library they need beyond ES2022 and the DOM, because an app may not. */
function withLibs(types: string): string {
  if (!/\b(Async)?Disposable\b|\bSymbol\.(asyncD|d)ispose\b/.test(types)) return types;
  return `/// <reference lib="esnext.disposable" />\n${types}`;
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await Deno.copyFile(from, to);
}

async function link(folder: string, stage: string, name: string): Promise<void> {
  const path = `${stage}/node_modules/${name}`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.symlink(folder, path);
}

async function runCompiler(stage: string): Promise<void> {
  const args = ["--pretty", "false", "-p", stage];
  const tsc = await runNpmProgram({ name: "typescript", program: "tsc" }, args);
  if (tsc.success) return;
  throw new Error(`Cannot compile for npm: ${withoutPath(tsc.output, stage)}`);
}

/** The compiler reports paths relative to its working folder. */
function withoutPath(output: string, stage: string): string {
  return output.replaceAll(`${relative(ROOT, stage)}/`, "").trim();
}

/** The sources of a package that its exports reach. */
export interface MemberSources {
  /** Paths from the member's folder. */
  readonly files: readonly string[];
  /** Names of the packages that they import. */
  readonly imported: readonly string[];
  /** Folder of each package that they, or their packages, import. */
  readonly packages: Readonly<Record<string, string>>;
}

/**
 * Reads what the entries of a member reach. Throws a `RangeError` if a file is outside of the
 * member.
 */
export async function readMemberSources(
  root: string,
  folder: string,
  entries: readonly string[],
): Promise<MemberSources> {
  const graph = await readModuleGraph(root, entries.map((entry) => `${folder}/${entry}`));
  const home = `${root}/${folder}`;
  const files: string[] = [];
  const imported = new Set<string>();
  for (const { specifier, dependencies } of graph.modules) {
    const path = pathIn(root, specifier);
    if (path === undefined) continue;
    const file = pathIn(home, specifier);
    if (file === undefined) throw new RangeError(`Cannot pack "${folder}": it imports ${path}`);
    files.push(file);
    for (const { specifier: name } of dependencies) {
      if (!/^[./]|^[a-z]+:/.test(name)) imported.add(packageName(name));
    }
  }
  return { files: files.sort(), imported: [...imported], packages: foldersOf(graph) };
}

function packageName(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** If there are two versions, the first is the one imported more directly. */
function foldersOf(graph: Parameters<typeof packagesOf>[0]): Record<string, string> {
  const folders: Record<string, string> = {};
  for (const { name, localPath } of Object.values(packagesOf(graph))) folders[name] ??= localPath;
  return folders;
}

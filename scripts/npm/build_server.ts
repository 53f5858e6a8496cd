import { dirname } from "node:path/posix";
import ts from "typescript";
import * as z from "zod";
import { findProgramParts } from "../compile/program_parts.ts";
import { pathIn, readModuleGraph } from "../module_graph.ts";
import { readMembers } from "../workspace.ts";
import { type BuiltPackage, packFolder, readTexts } from "./build_package.ts";
import {
  CODE_FOLDER,
  dependenciesOf,
  describe,
  packedTexts,
  PROJECT,
  SERVER_KEYWORDS,
} from "./package_manifest.ts";

const MEMBER = "mcp_server";

/** The name of the server in the MCP Registry, which compares it with that of the npm package. */
export const MCP_NAME: string = `io.github.${PROJECT.repository.url.split("/").at(-2)}/mcp-server`;

/** The program that the npm package of the server links. */
export const PROGRAM = "trestle-mcp";

/** The program that npm links, beside this file. */
const STARTER = new URL("./server/trestle_mcp.js", import.meta.url);

const Root = z.object({ imports: z.record(z.string(), z.string()) });

/**
 * Builds the tool server for npm into `<output>/mcp-server`, and packs it next to that: JavaScript,
 * because Deno takes no TypeScript below `node_modules`, with the built-in tools, a program that
 * starts it, and Deno as a dependency. Earlier output is removed.
 */
export async function buildServer(
  root: string,
  output: string,
  { deno = Deno.version.deno }: { readonly deno?: string } = {},
): Promise<BuiltPackage> {
  const member = (await readMembers(root)).find(({ folder }) => folder === MEMBER);
  if (member === undefined) throw new RangeError(`Cannot build "${MEMBER}": it is no member`);
  const { imports } = Root.parse(JSON.parse(await Deno.readTextFile(`${root}/deno.json`)));
  const { entry, modules } = await findProgramParts(root);
  const library = Object.values(member.exports).map((file) => `${MEMBER}/${file.slice(2)}`);
  const { files, imported } = await readSources(root, [entry, ...modules, ...library]);
  const typed = new Set((await readSources(root, library)).files);
  const folder = `${output}/${member.name.replace(/^.*\//, "")}`;
  await Deno.remove(folder, { recursive: true }).catch(ignoreNotFound);
  const known = new Set(files);
  for (const file of files) {
    const text = await Deno.readTextFile(`${root}/${file}`);
    const made = `${folder}/${CODE_FOLDER}/${file}`;
    if (!file.endsWith(".ts")) {
      await write(made, text);
      continue;
    }
    await write(made.replace(/\.ts$/, ".js"), toJavaScript(text, file, known));
    if (typed.has(file)) await write(made.replace(/\.ts$/, ".d.ts"), toTypes(text, file));
  }
  const texts = await readTexts(root, MEMBER);
  const entryOf = (file: string) => `./${CODE_FOLDER}/${MEMBER}/${file.slice(2, -".ts".length)}`;
  const manifest = {
    name: member.name,
    version: member.version,
    description: describe(texts["README.md"] ?? ""),
    keywords: SERVER_KEYWORDS,
    ...PROJECT,
    mcpName: MCP_NAME,
    license: member.license,
    type: "module",
    bin: { [PROGRAM]: `bin/${PROGRAM}.js` },
    engines: { node: ">=20.19" },
    files: [CODE_FOLDER, "bin", "import_map.json", ...packedTexts(Object.keys(texts))],
    exports: {
      ...Object.fromEntries(
        Object.entries(member.exports).map(([name, file]) => [name, {
          types: `${entryOf(file)}.d.ts`,
          default: `${entryOf(file)}.js`,
        }]),
      ),
      "./package.json": "./package.json",
    },
    dependencies: {
      ...dependenciesOf(imported, imports, member.name),
      deno,
    },
  };
  const importMap = {
    imports: Object.fromEntries(
      Object.entries(member.exports).map(([name, file]) => [
        name.replace(/^\./, member.name),
        `${entryOf(file)}.js`,
      ]),
    ),
  };
  await write(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  await write(`${folder}/import_map.json`, `${JSON.stringify(importMap, null, 2)}\n`);
  await write(`${folder}/bin/${PROGRAM}.js`, await Deno.readTextFile(STARTER));
  await Deno.chmod(`${folder}/bin/${PROGRAM}.js`, 0o755);
  for (const [name, text] of Object.entries(texts)) await write(`${folder}/${name}`, text);
  return { folder, tarball: `${output}/${await packFolder(folder, output)}` };
}

/** What files reach: those of the repository, and the packages that they import. */
async function readSources(
  root: string,
  entries: readonly string[],
): Promise<{ readonly files: readonly string[]; readonly imported: readonly string[] }> {
  const { modules } = await readModuleGraph(root, entries);
  const files = modules.flatMap(({ specifier }) => pathIn(root, specifier) ?? []);
  const imported = modules.filter(({ specifier }) => pathIn(root, specifier) !== undefined)
    .flatMap(({ dependencies }) => dependencies.map(({ specifier }) => specifier))
    .filter((name) => !/^[./]|^[a-z]+:|^@trestle\//.test(name))
    .map((name) => name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/"));
  return { files: files.sort(), imported: [...new Set(imported)] };
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  removeComments: true,
};

/** A module without its types; relative paths of TypeScript in it, also computed ones, end with `.js`. */
function toJavaScript(text: string, file: string, files: ReadonlySet<string>): string {
  const { outputText } = ts.transpileModule(text, { fileName: file, compilerOptions: OPTIONS });
  return outputText.replaceAll(/(["'`])(\.{1,2}\/[\w./-]+)\.ts\1/g, (found, quote, path) => {
    const reached = new URL(`${path}.ts`, `file:///${file}`).pathname.slice(1);
    return files.has(reached) ? `${quote}${path}.js${quote}` : found;
  });
}

/** The declarations of a module, as far as they are written; JSR requires that they are. */
function toTypes(text: string, file: string): string {
  const compilerOptions = { ...OPTIONS, removeComments: false, isolatedDeclarations: true };
  const { outputText } = ts.transpileDeclaration(text, { fileName: file, compilerOptions });
  return outputText.replaceAll(/((?:\bfrom|\bimport\()\s*")(\.{1,2}\/[^"]+)\.ts"/g, '$1$2.js"');
}

async function write(path: string, text: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

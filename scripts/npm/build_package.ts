import { dirname } from "node:path/posix";
import * as z from "zod";
import { sourceFiles } from "../source_files.ts";
import { type Member, readMembers } from "../workspace.ts";
import { compileSources, readMemberSources } from "./compile_sources.ts";
import { CODE_FOLDER, type NpmTarget, toPackageManifest } from "./package_manifest.ts";

/** A package that is ready to be published. */
export interface BuiltPackage {
  /** Its folder. */
  readonly folder: string;
  /** The archive that `npm pack` created. */
  readonly tarball: string;
}

const Root = z.object({ imports: z.record(z.string(), z.string()) });
const Packed = z.tuple([z.object({ filename: z.string() })]);

/**
 * Builds a member of the workspace for npm into `<output>/<name>`, and packs it next to that.
 * Earlier output is removed.
 */
export async function buildPackage(
  root: string,
  target: NpmTarget,
  output: string,
): Promise<BuiltPackage> {
  const member = (await readMembers(root)).find(({ folder }) => folder === target.folder);
  if (member === undefined) {
    throw new RangeError(`Cannot build "${target.folder}": it is not a member of the workspace`);
  }
  const { imports } = Root.parse(JSON.parse(await Deno.readTextFile(`${root}/deno.json`)));
  const entries = entriesOf(member);
  const { nodeExports = [], programs = {} } = target;
  const forPages = Object.keys(entries).filter((entry) => !nodeExports.includes(entry));
  const texts = await readTexts(root, target.folder);
  const read = (files: readonly string[]) =>
    readMemberSources(root, target.folder, files.map((file) => `${file}.ts`));
  const pages = await read(forPages.flatMap((entry) => entries[entry] ?? []));
  const sources = await read([...Object.values(entries), ...Object.values(programs)]);
  const readme = texts["README.md"] ?? "";
  const manifest = toPackageManifest({
    member,
    entries,
    imports,
    readme,
    texts: Object.keys(texts),
    ...sources,
    ...target,
  });
  const folder = `${output}/${member.name.replace(/^.*\//, "")}`;
  await Deno.remove(folder, { recursive: true }).catch(ignoreNotFound);
  const folders = { from: `${root}/${target.folder}`, to: `${folder}/${CODE_FOLDER}` };
  if (sources.files.length > pages.files.length) await compileSources(sources, folders, "node");
  await compileSources(pages, folders, "browser");
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
  for (const [name, text] of Object.entries({ ...texts, "package.json": manifestText })) {
    await Deno.mkdir(dirname(`${folder}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return { folder, tarball: `${output}/${await packFolder(folder, output)}` };
}

/** The file of each export, without its extension. */
function entriesOf({ exports }: Member): Record<string, string> {
  return Object.fromEntries(
    Object.entries(exports).map(([entry, file]) => [entry, file.replace(/^\.\/(.*)\.ts$/, "$1")]),
  );
}

/** Reads the license, and the pages of a member by their paths in it. */
export async function readTexts(root: string, folder: string): Promise<Record<string, string>> {
  const markdown = await sourceFiles(root, [".md"]);
  const isPage = (path: string) => /^(docs\/(.+\/)?)?[^/]+\.md$/.test(path);
  const pages = markdown.filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1)).filter(isPage);
  const missing = ["README.md", "CHANGELOG.md"].find((page) => !pages.includes(page));
  if (missing !== undefined) {
    throw new RangeError(`Cannot pack "${folder}": ${folder}/${missing} is missing`);
  }
  const texts: Record<string, string> = { LICENSE: await Deno.readTextFile(`${root}/LICENSE`) };
  for (const page of pages) texts[page] = await Deno.readTextFile(`${root}/${folder}/${page}`);
  return texts;
}

/** Packs a folder into another one; resolves with the name of the archive. */
export async function packFolder(folder: string, output: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("npm", {
    args: ["pack", "--json", "--pack-destination", output],
    cwd: folder,
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`Cannot pack "${folder}": ${decoder.decode(stderr)}`);
  return Packed.parse(JSON.parse(decoder.decode(stdout)))[0].filename;
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

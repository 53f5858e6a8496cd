import { createHash } from "node:crypto";
import { basename, dirname } from "node:path/posix";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type CompileOptions, compileServer } from "../compile/compile_server.ts";
import { buildPackage } from "../npm/build_package.ts";
import { buildServer } from "../npm/build_server.ts";
import { NPM_TARGETS } from "../npm/package_manifest.ts";
import { runNpmProgram } from "../npm/run_npm_program.ts";
import {
  type ChannelFiles,
  toClaudePlugin,
  toDesktopBundle,
  toGeminiExtension,
  toRegistryEntry,
} from "./client_manifests.ts";
import { readServerFacts } from "./server_facts.ts";
import { readServiceFiles } from "./service_files.ts";

/** What a release is built from. */
export type ReleaseOptions = Pick<CompileOptions, "root" | "architectures" | "basePath"> & {
  /** Folder that gets the files; earlier content is removed. */
  readonly folder: string;
  /** Archives of the npm packages. @default {built from the sources} */
  readonly packages?: readonly string[];
};

/** The program in the bundle for Claude Desktop. */
const DESKTOP_STARTER = new URL("./desktop/start.js", import.meta.url);
/** What makes an archive the same whenever and by whomever it is made. */
const REPRODUCIBLE = [
  "--sort=name",
  "--mtime=@0",
  "--owner=0",
  "--group=0",
  "--numeric-owner",
  "--mode=u=rwX,go=rX",
];
const SUMS = "SHA256SUMS";

/**
 * Builds everything that a version of the tool server is published as: the npm packages, an archive
 * of the compiled program for each architecture, those for containers and for clients, the entry of
 * the MCP Registry, and the checksums of all. Resolves with the sizes in bytes, by name.
 */
export async function buildRelease(options: ReleaseOptions): Promise<Record<string, number>> {
  const { root, folder } = options;
  const facts = await readServerFacts(root);
  const { version, program } = facts;
  const { [`${program}.service`]: unit = "", ...container } = await readServiceFiles(root);
  const license = { LICENSE: await Deno.readTextFile(`${root}/LICENSE`) };
  await using temp = await createTempFolder();
  await Deno.remove(folder, { recursive: true }).catch(ignoreNotFound);
  await Deno.mkdir(folder, { recursive: true });
  const pack = async (name: string, files: ChannelFiles) => {
    const from = `${temp.path}/${name}`;
    await writeAll(from, { ...files, ...license });
    await archive(from, `${folder}/${name}.tar.gz`);
  };

  const packages = options.packages ?? await packNpm(root, `${temp.path}/npm`);
  for (const tarball of packages) await Deno.copyFile(tarball, `${folder}/${basename(tarball)}`);
  for (const made of await compileServer({ ...options, folder: `${temp.path}/programs` })) {
    if (basename(made) === program) continue;
    const from = `${temp.path}/${basename(made)}`;
    await writeAll(from, { ...license, [`${program}.service`]: unit });
    await Deno.copyFile(made, `${from}/${program}`);
    await archive(from, `${folder}/${basename(made)}-${version}.tar.gz`);
  }
  await pack(`trestle-container-${version}`, container);
  await pack(`trestle-claude-plugin-${version}`, toClaudePlugin(facts));
  // Gemini CLI chooses an archive of a release by this name.
  await pack("linux.trestle", toGeminiExtension(facts));
  const starter = await Deno.readTextFile(DESKTOP_STARTER);
  const bundle = `${temp.path}/bundle`;
  await writeAll(bundle, { ...toDesktopBundle(facts, starter), ...license });
  await packBundle(bundle, `${folder}/trestle-${version}.mcpb`);
  await writeAll(folder, toRegistryEntry(facts));
  return await writeSums(folder);
}

/** Builds and packs the npm packages; resolves with their archives. */
async function packNpm(root: string, output: string): Promise<string[]> {
  const built = [await buildServer(root, output)];
  for (const target of NPM_TARGETS) built.push(await buildPackage(root, target, output));
  return built.map(({ tarball }) => tarball);
}

async function archive(from: string, target: string): Promise<void> {
  const args = [...REPRODUCIBLE, "--use-compress-program=gzip -n", "-cf", target, "-C", from, "."];
  const { success, stderr } = await new Deno.Command("tar", { args }).output();
  if (!success) throw new Error(`Cannot pack "${target}": ${new TextDecoder().decode(stderr)}`);
}

/** Packs a bundle with the program of its format, which checks the manifest first. */
async function packBundle(from: string, target: string): Promise<void> {
  const mcpb = { name: "@anthropic-ai/mcpb", program: "mcpb" };
  const { success, output } = await runNpmProgram(mcpb, ["pack", from, target]);
  if (!success) throw new Error(`Cannot pack "${target}": ${output}`);
}

/** Writes the checksums as `sha256sum --check` reads them. */
async function writeSums(folder: string): Promise<Record<string, number>> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  const sizes: Record<string, number> = {};
  const lines = [];
  for (const name of names) {
    const bytes = await Deno.readFile(`${folder}/${name}`);
    sizes[name] = bytes.length;
    lines.push(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  }
  await Deno.writeTextFile(`${folder}/${SUMS}`, lines.join(""));
  return sizes;
}

async function writeAll(folder: string, files: ChannelFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  }
}

function ignoreNotFound(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

import { ROOT } from "../../test_support/root.ts";
import { sharedFolder } from "../../test_support/shared_folder.ts";
import { createTempFolder, type TempFolder } from "../../test_support/temp_folder.ts";
import { buildPackage } from "../npm/build_package.ts";
import { NPM_TARGETS } from "../npm/package_manifest.ts";
import type { ProgramEnd } from "../npm/run_npm_program.ts";

/** Folder of the example app, from the root of the repository. */
export const EXAMPLE_FOLDER = "examples/team_directory";

/** Builds and packs the packages that the app uses into a folder; resolves with their archives. */
export async function packForExample(output: string): Promise<string[]> {
  const built = NPM_TARGETS.map((target) => buildPackage(ROOT, target, output));
  return (await Promise.all(built)).map(({ tarball }) => tarball);
}

/**
 * Installs what the `package.json` of a folder names, and further packages, into its
 * `node_modules`; nothing else in the folder changes.
 */
export async function installPackages(
  folder: string,
  packages: readonly string[] = [],
): Promise<void> {
  const command = new Deno.Command("npm", {
    args: ["install", ...FLAGS, ...packages],
    cwd: folder,
    stdin: "null",
  });
  const { success, stderr } = await command.output();
  if (success) return;
  throw new Error(`Cannot install "${folder}": ${new TextDecoder().decode(stderr)}`);
}

/** They leave `package.json` unchanged: it names versions, as a user's would. */
const FLAGS = [
  "--no-save",
  "--no-package-lock",
  "--no-audit",
  "--no-fund",
  "--ignore-scripts",
  "--prefer-offline",
];

/** The example app with its mock server, built from the packages as they are published. */
export interface BuiltExample extends AsyncDisposable {
  /** Folder with the files to serve. */
  readonly site: string;
  /** Builds the app for production, without the mock server; returns the folder with its files. */
  buildForProduction(): Promise<string>;
  /** Runs the compiler over the app, templates included. */
  checkTypes(): Promise<ProgramEnd>;
}

/**
 * Copies the app to a temporary folder, with the packed packages, and builds it. Builds in one test
 * run with the same packages share what is installed.
 *
 * @param base The path that it is served at. @default {"/"}
 */
export async function buildExample(
  tarballs: readonly string[],
  base = "/",
): Promise<BuiltExample> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const folder = `${path}/app`;
  await copyFolder(`${ROOT}/${EXAMPLE_FOLDER}`, folder);
  const installed = stack.use(await installForExample(tarballs));
  await Deno.symlink(`${installed.path}/node_modules`, `${folder}/node_modules`);
  const site = await buildSite(folder, "demo", base);
  const parts = stack.move();
  return {
    site,
    buildForProduction: () => buildSite(folder, "production", base),
    checkTypes: () => run("vue-tsc", ["--pretty", "false"], folder),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function installForExample(tarballs: readonly string[]): Promise<TempFolder> {
  const manifest = `${ROOT}/${EXAMPLE_FOLDER}/package.json`;
  const parts = await Promise.all([manifest, ...tarballs].map((file) => Deno.readFile(file)));
  const bytes = await new Blob(parts).arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  return await sharedFolder(`example_${digest}`, async (folder) => {
    await Deno.copyFile(manifest, `${folder}/package.json`);
    await installPackages(folder, tarballs);
  });
}

async function buildSite(
  folder: string,
  mode: "demo" | "production",
  base: string,
): Promise<string> {
  const site = `${folder}/dist/${mode}`;
  const args = ["build", "--mode", mode, "--base", base, "--outDir", site, "--logLevel", "warn"];
  const { success, output } = await run("vite", args, folder);
  if (success) return site;
  throw new Error(`Cannot build the example: ${output}`);
}

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist"]);

/** Copies a folder, except for what is built in it. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (LEFT_OUT.has(name)) continue;
    const copy = isDirectory ? copyFolder : Deno.copyFile;
    await copy(`${from}/${name}`, `${to}/${name}`);
  }
}

/** Runs a program of the app's own `node_modules`. */
async function run(program: string, args: readonly string[], cwd: string): Promise<ProgramEnd> {
  const command = new Deno.Command(`${cwd}/node_modules/.bin/${program}`, {
    args: [...args],
    cwd,
    stdin: "null",
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

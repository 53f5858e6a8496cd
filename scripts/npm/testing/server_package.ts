import { createTempFolder, type TempFolder } from "../../../test_support/temp_folder.ts";
import type { BuiltPackage } from "../build_package.ts";
import { builtPackage } from "./built_package.ts";

/** The npm package of the tool server, installed in a project of its own. */
export interface InstalledServer extends AsyncDisposable {
  readonly folder: TempFolder;
  /** What is published. */
  readonly built: BuiltPackage;
  /** Path of the program that npm has linked. */
  readonly program: string;
}

/** Builds the package, and installs it as a user does. */
export async function installServer(): Promise<InstalledServer> {
  const folder = await createTempFolder();
  const built = await builtPackage("mcp_server");
  const project = `${folder.path}/project`;
  await Deno.mkdir(project);
  await Deno.writeTextFile(`${project}/package.json`, '{ "private": true }');
  await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", built.tarball],
    project,
  );
  return {
    folder,
    built,
    program: `${project}/node_modules/.bin/trestle-mcp`,
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await built[Symbol.asyncDispose]();
    },
  };
}

/** Runs a program to its end; resolves with its output, and rejects if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const command = new Deno.Command(program, { args: [...args], cwd, env: { ...env } });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`Cannot run "${program} ${args.join(" ")}": ${decoder.decode(stderr)}`);
}

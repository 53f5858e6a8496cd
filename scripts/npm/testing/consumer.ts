import { relative } from "node:path/posix";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { ROOT } from "../../../test_support/root.ts";
import { runNpmProgram } from "../run_npm_program.ts";

/** A Node project of a test's own that has installed a package from its archive. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string;
  /** Installs packages, in the place of other versions of them. */
  install(packages: readonly string[]): Promise<void>;
  /** Writes a file and has Node run it; resolves with its output, rejects where it fails. */
  runNode(file: string, program: string): Promise<string>;
  /** Compiles files of the project; resolves with the faults that concern them or the package. */
  compile(files: readonly string[], resolution: Resolution): Promise<string[]>;
  /**
   * Compiles a file as `compile()` does, by a compiler that is installed in the project, which reads
   * all types and knows ES2022 and the DOM alone.
   */
  compileWith(compiler: string, file: string, resolution: Resolution): Promise<string[]>;
}

/** How TypeScript is told to look packages up, by its own names; `nodenext` reads all types too. */
export type Resolution = "nodenext" | "bundler";

/** Makes the project; packages are given as npm takes them, such as `vue@^3.5`. */
export async function createConsumer(
  name: string,
  packages: readonly string[],
): Promise<Consumer> {
  const temp = await createTempFolder();
  const folder = temp.path;
  await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true, "type": "module" }');
  const install = async (packages: readonly string[]) => {
    await run("npm", ["install", ...NPM_FLAGS, ...packages], folder);
  };
  await install(packages);
  return {
    folder,
    install,
    runNode: async (file, program) => {
      await Deno.writeTextFile(`${folder}/${file}`, program);
      return await run("node", [file], folder);
    },
    compile: async (files, resolution) => {
      const config = `${folder}/tsconfig.${resolution}.json`;
      const compilerOptions = { ...OPTIONS, ...RESOLUTIONS[resolution] };
      await Deno.writeTextFile(config, JSON.stringify({ compilerOptions, files }));
      const tsc = { name: "typescript", program: "tsc" };
      const { success, output } = await runNpmProgram(tsc, ["--pretty", "false", "-p", config]);
      if (!success && !FAULT.test(output)) throw new Error(output);
      return faultsIn(output.replaceAll(`${relative(ROOT, folder)}/`, ""), name);
    },
    compileWith: async (compiler, file, resolution) => {
      const config = `${folder}/tsconfig.${compiler}.${resolution}.json`;
      const compilerOptions = { ...OPTIONS, ...RESOLUTIONS[resolution], ...PLAIN };
      await Deno.writeTextFile(config, JSON.stringify({ compilerOptions, files: [file] }));
      const command = new Deno.Command("node", {
        args: [`node_modules/${compiler}/bin/tsc`, "--pretty", "false", "-p", config],
        cwd: folder,
      });
      const { success, stdout, stderr } = await command.output();
      const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      if (!success && !FAULT.test(output)) throw new Error(output);
      return faultsIn(output, name).map((fault) => `${compiler}: ${fault}`);
    },
    [Symbol.asyncDispose]: () => temp[Symbol.asyncDispose](),
  };
}

const NPM_FLAGS = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];

const OPTIONS = {
  strict: true,
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "ESNext.Disposable"],
  types: [],
  noEmit: true,
  skipDefaultLibCheck: true,
};

const RESOLUTIONS: Readonly<Record<Resolution, object>> = {
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext", skipLibCheck: false },
  bundler: { module: "ESNext", moduleResolution: "Bundler", skipLibCheck: true },
};

const PLAIN = { lib: ["ES2022", "DOM"], skipLibCheck: false };

const FAULT = /^\S.*error TS/m;

/** Faults in the types of packages that are not ours are left to those. */
function faultsIn(output: string, name: string): string[] {
  const lines = output.split("\n").filter((line) => FAULT.test(line));
  return lines.filter((line) =>
    !line.startsWith("node_modules/") || line.startsWith(`node_modules/${name}/`)
  );
}

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const command = new Deno.Command(program, { args: [...args], cwd });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (success) return decoder.decode(stdout);
  throw new Error(`Cannot run "${program} ${args.join(" ")}": ${decoder.decode(stderr)}`);
}

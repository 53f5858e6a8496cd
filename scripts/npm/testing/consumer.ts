import { relative } from "node:path/posix";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { ROOT } from "../../../test_support/root.ts";
import { runNpmProgram } from "../run_npm_program.ts";

/** A temporary Node project that has a package installed from its archive. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string;
  /** Installs packages, replacing other versions of them. */
  install(packages: readonly string[]): Promise<void>;
  /** Writes a file and runs it with Node; resolves with its output, rejects if it fails. */
  runNode(file: string, program: string): Promise<string>;
  /** Compiles files of the project; resolves with the errors in them or in the package. */
  compile(files: readonly string[], resolution: Resolution): Promise<string[]>;
  /**
   * Compiles a file as `compile()` does, with a compiler installed in the project, which checks all
   * types and has only the ES2022 and DOM libraries.
   */
  compileWith(compiler: string, file: string, resolution: Resolution): Promise<string[]>;
}

/** TypeScript's module resolution modes; `nodenext` checks all types too. */
export type Resolution = "nodenext" | "bundler";

/** Creates the project; packages are npm specifiers, such as `vue@^3.5`. */
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

/** Errors in the types of other packages are ignored. */
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

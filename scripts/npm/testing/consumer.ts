import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { compilerOptionsFor, isOurs, type Resolution, typeFaults } from "./type_faults.ts";

/** A temporary Node project that has packages installed from their archives. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string;
  /** Writes a file and runs it with Node; resolves with its output, rejects if it fails. */
  runNode(file: string, program: string): Promise<string>;
  /** Compiles files of the project; returns the errors in them or in our packages. */
  compile(files: readonly string[], resolution: Resolution): string[];
  /**
   * Compiles a file as `compile()` does, with a compiler installed in the project, which checks all
   * types and has only the ES2022 and DOM libraries.
   */
  compileWith(compiler: string, file: string, resolution: Resolution): Promise<string[]>;
}

/** A project that other packages can be installed in. */
export interface OwnConsumer extends Consumer {
  /** Installs packages, replacing other versions of them. */
  install(packages: readonly string[]): Promise<void>;
}

/** Creates the project; packages are npm specifiers, such as `vue@^3.5`. */
export async function createConsumer(packages: readonly string[]): Promise<OwnConsumer> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  await installPackages(path, packages);
  const owned = stack.move();
  return {
    ...consumerIn(path),
    install: (packages) => installPackages(path, packages),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Installs packages into a folder, which becomes a project unless it is one.
 *
 * @param env Variables for npm, which chooses versions that fit the Node of its `PATH`. @default {{}}
 */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await writeManifest(folder);
  await run("npm", ["install", ...NPM_FLAGS, ...packages], folder, env);
}

/** Creates a project in a folder of packages, which it finds above it. */
export async function createProjectBelow(folder: string): Promise<Consumer> {
  const path = await Deno.makeTempDir({ dir: folder });
  await writeManifest(path);
  return {
    ...consumerIn(path),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

async function writeManifest(folder: string): Promise<void> {
  const text = '{ "private": true, "type": "module" }';
  await Deno.writeTextFile(`${folder}/package.json`, text, { createNew: true }).catch((error) => {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  });
}

function consumerIn(folder: string): Omit<Consumer, keyof AsyncDisposable> {
  return {
    folder,
    runNode: async (file, program) => {
      await Deno.writeTextFile(`${folder}/${file}`, program);
      return await run("node", [file], folder);
    },
    compile: (files, resolution) => typeFaults(folder, files, { resolution }),
    compileWith: async (name, file, resolution) => {
      const compiler = `${folder}/node_modules/${name}`;
      const options = { resolution, plain: true, compiler };
      const faults = await isNative(compiler)
        ? await runCompiler(folder, file, options)
        : typeFaults(folder, [file], options);
      return faults.map((fault) => `${name}: ${fault}`);
    },
  };
}

/** Whether a compiler is a program of its own, which other programs can't import. */
async function isNative(compiler: string): Promise<boolean> {
  return await Deno.stat(`${compiler}/lib/typescript.js`).then(() => false, () => true);
}

/** Compiles a file by the program of a compiler; resolves with the errors. */
async function runCompiler(
  folder: string,
  file: string,
  options: { readonly resolution: Resolution; readonly plain: boolean; readonly compiler: string },
): Promise<string[]> {
  const config = `${folder}/tsconfig.${options.resolution}.json`;
  const compilerOptions = compilerOptionsFor(options);
  await Deno.writeTextFile(config, JSON.stringify({ compilerOptions, files: [file] }));
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [`${options.compiler}/bin/tsc`, "--pretty", "false", "-p", config],
    cwd: folder,
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  if (!success && !FAULT.test(output)) throw new Error(output);
  const lines = output.split("\n").filter((line) => FAULT.test(line));
  return lines.filter((line) => isOurs(line.replace(/\(.*$/, "")));
}

const NPM_FLAGS = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];

const FAULT = /^\S.*error TS/m;

async function run(
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

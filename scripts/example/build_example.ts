import { createTempFolder } from "../../test_support/temp_folder.ts";
import { EXAMPLE_FOLDER, installExample } from "./example_app.ts";
import type { ProgramEnd } from "../npm/run_npm_program.ts";
import { ROOT } from "../../test_support/root.ts";

/** The example app, built for production from the packages as they are published. */
export interface BuiltExample extends AsyncDisposable {
  /** Folder with what is to be served. */
  readonly site: string;
  /** Runs the compiler over the app, templates included. */
  checkTypes(): Promise<ProgramEnd>;
}

/** Copies the app to a folder of its own, installs the packed packages there, and builds it. */
export async function buildExample(): Promise<BuiltExample> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const folder = `${path}/app`;
  await copyFolder(`${ROOT}/${EXAMPLE_FOLDER}`, folder);
  await installExample(folder, `${path}/npm`);
  const built = await run("vite", ["build", "--logLevel", "warn"], folder);
  if (!built.success) throw new Error(`Cannot build the example: ${built.output}`);
  const parts = stack.move();
  return {
    site: `${folder}/dist`,
    checkTypes: () => run("vue-tsc", ["--pretty", "false"], folder),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist"]);

async function copyFolder(from: string, to: string): Promise<void> {
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

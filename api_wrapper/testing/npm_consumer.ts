import axios from "axios";
import { version as vueVersion } from "vue";
import ts from "typescript";
import { createTempFolder } from "../../test_support/temp_folder.ts";

const COMPONENT = new URL("../", import.meta.url);

/** How a program ended, and everything that it wrote. */
export interface ProgramEnd {
  readonly code: number;
  readonly output: string;
}

/** A folder like that of an npm user: the built package, its peers and the compiler. */
export interface NpmConsumer extends AsyncDisposable {
  readonly path: string;
  /** Writes a file, and creates the folders above it. */
  write(name: string, text: string): Promise<void>;
  /** Compiles the files of a `tsconfig.json`. */
  compile(project: string): Promise<ProgramEnd>;
  /** Runs a program with Node. */
  node(...args: string[]): Promise<ProgramEnd>;
}

/** The folder before anything is installed in it. */
type Consumer = Omit<NpmConsumer, keyof AsyncDisposable>;

/** Versions of the peers, by default those of this repository; `null` leaves Vue out. */
export interface Peers {
  readonly axios?: string;
  readonly vue?: string | null;
}

/** Creates the folder, builds the package from the sources, and puts it into `node_modules`. */
export async function createNpmConsumer(peers: Peers = {}): Promise<NpmConsumer> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await createTempFolder());
  const consumer: Consumer = {
    path,
    write,
    compile: (project) => run("node", ["node_modules/typescript/lib/tsc.js", "-p", project]),
    node: (...args) => run("node", args),
  };
  await install(consumer, peers);
  await buildPackage(consumer);
  const owned = stack.move();
  return { ...consumer, [Symbol.asyncDispose]: () => owned.disposeAsync() };

  async function write(name: string, text: string): Promise<void> {
    await Deno.mkdir(new URL(".", `file://${path}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${path}/${name}`, text);
  }

  async function run(program: string, args: string[]): Promise<ProgramEnd> {
    const command = new Deno.Command(program, { args, cwd: path, env: { NO_COLOR: "1" } });
    const { code, stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  }
}

async function install(consumer: Consumer, peers: Peers): Promise<void> {
  const { axios: axiosPeer = axios.VERSION, vue = vueVersion } = peers;
  const dependencies = {
    axios: axiosPeer,
    typescript: ts.version,
    "@standard-schema/spec": "^1.1.0",
    ...vue !== null && { vue },
  };
  await consumer.write("package.json", JSON.stringify({ private: true, dependencies }));
  const command = new Deno.Command(Deno.execPath(), { args: ["install"], cwd: consumer.path });
  const { success, stderr } = await command.output();
  if (!success) throw new Error(`Cannot install the peers: ${new TextDecoder().decode(stderr)}`);
}

async function buildPackage(consumer: Consumer): Promise<void> {
  const folder = "node_modules/@trestle/api-wrapper";
  const entry = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
  const names = ["core", "options", "schema"];
  const exports = Object.fromEntries(names.map((name) => [`./${name}`, entry(name)]));
  const manifest = { type: "module", exports: { ".": entry("mod"), ...exports } };
  await consumer.write(`${folder}/package.json`, JSON.stringify(manifest));
  await consumer.write("source/package.json", JSON.stringify({ type: "module" }));
  for await (const { name } of Deno.readDir(COMPONENT)) {
    if (!name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
    await consumer.write(`source/${name}`, await Deno.readTextFile(new URL(name, COMPONENT)));
  }
  const hasVue = await Deno.stat(`${consumer.path}/node_modules/vue`).then(() => true, () => false);
  const options = {
    ...STRICT,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    outDir: `../${folder}`,
  };
  const files = hasVue ? ["mod.ts", "options.ts", "schema.ts"] : ["core.ts", "schema.ts"];
  const project = { compilerOptions: options, files };
  await consumer.write("source/tsconfig.json", JSON.stringify(project));
  const { code, output } = await consumer.compile("source");
  if (code !== 0) throw new Error(`Cannot build the package: ${output}`);
}

/** Strict compiler options. */
export const STRICT = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedModules: true,
  skipLibCheck: true,
  types: [],
};

import { pathToFileURL } from "node:url";
import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { ROOT } from "../../../test_support/root.ts";
import { ALL_TESTS } from "../../../test_support/tier.ts";

/** A copy of the component in a separate folder, where graphql is graphql 16. */
export interface GraphQL16Copy extends AsyncDisposable {
  /** Path of the folder, without a slash at its end. */
  readonly folder: string;
  /** Path of the configuration. */
  readonly config: string;
  /** Paths of the modules that it exports. */
  readonly entries: readonly string[];
  /** Paths of its tests, except those that need files from outside of the component. */
  readonly tests: readonly string[];
}

/**
 * Copies the component: files of the repository itself always use the repository's own graphql,
 * whichever configuration Deno uses.
 */
export async function createGraphQL16Copy(): Promise<GraphQL16Copy> {
  const temp = await createTempFolder();
  const folder = `${temp.path}/mirage_graphql`;
  const tests = [];
  await Deno.mkdir(`${temp.path}/test_support`);
  await Deno.copyFile(`${ROOT}/test_support/tier.ts`, `${temp.path}/test_support/tier.ts`);
  for await (const path of sourceFiles(`${ROOT}/mirage_graphql`)) {
    const target = path.replace(`${ROOT}/mirage_graphql`, folder);
    await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(path, target);
    if (target.endsWith("_test.ts")) tests.push(target);
  }
  const { imports, unstable, compilerOptions } = await readConfig(`${ROOT}/deno.json`);
  const member = await readConfig(`${ROOT}/mirage_graphql/deno.json`);
  const config = {
    imports: { ...imports, graphql: "npm:graphql@^16.9.0", "@trestle/mirage-graphql": "./mod.ts" },
    unstable,
    compilerOptions: { ...compilerOptions, ...member.compilerOptions },
    nodeModulesDir: "none",
    lock: false,
  };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
  const { [Symbol.asyncDispose]: remove } = temp;
  const entries = Object.values(member.exports ?? {}).map((file) => `${folder}/${file}`);
  return { folder, config: `${folder}/deno.json`, entries, tests, [Symbol.asyncDispose]: remove };
}

/** What a copy takes from the `deno.json` of the repository and of the component. */
interface Config {
  readonly imports?: Readonly<Record<string, string>>;
  readonly unstable?: readonly string[];
  readonly compilerOptions?: object;
  readonly exports?: Readonly<Record<string, string>>;
}

async function readConfig(path: string): Promise<Config> {
  return JSON.parse(await Deno.readTextFile(path));
}

/** Where files import what the copy lacks: other components, the repository's scripts, the bench. */
const OUTSIDE = /(\.\.\/)+((scripts|mcp_server|api_wrapper|bench)\/|test_support\/(?!tier\.ts))/;

async function* sourceFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "bench" && name !== "graphql16") yield* sourceFiles(path);
    if (!/\.(ts|js)$/.test(name)) continue;
    if (!OUTSIDE.test(await Deno.readTextFile(path))) yield path;
  }
}

/** It uses a whole core for over a minute, and other tests run beside it. */
const DEADLINE_MS = 1_200_000;

/** Checks the types of all that a copy exports. */
export async function checkCopy(
  { folder, entries }: GraphQL16Copy,
): Promise<{ success: boolean; output: string }> {
  return await runDeno(folder, ["check", ...entries]);
}

/** Runs test files of a copy in one module, so that graphql is loaded once. */
export async function testCopy(
  { folder }: GraphQL16Copy,
  tests: readonly string[],
): Promise<{ success: boolean; output: string }> {
  const imports = tests.map((path) => `import ${JSON.stringify(pathToFileURL(path))};\n`);
  await Deno.writeTextFile(`${folder}/all_test.ts`, imports.join(""));
  return await runDeno(folder, ["test", "-A", "--no-check", "all_test.ts"]);
}

const PROBE = `
  import { GraphQLSchema, version } from "graphql";
  import { makeExecutableSchema } from "@graphql-tools/schema";
  const schema = makeExecutableSchema({ typeDefs: "type Query { a: Int }" });
  console.log(version.split(".")[0], schema instanceof GraphQLSchema);
`;

/** The major version of graphql in a copy, and whether its other packages use the same. */
export async function probeCopy({ folder }: GraphQL16Copy): Promise<string> {
  await Deno.writeTextFile(`${folder}/probe.ts`, PROBE);
  return (await runDeno(folder, ["run", "-A", "--no-check", "probe.ts"])).output.trim();
}

async function runDeno(
  cwd: string,
  args: readonly string[],
): Promise<{ success: boolean; output: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    // As in a run of every day: what varies at random does not depend on the version of graphql.
    env: { NO_COLOR: "1", PROPERTY_RUNS: "5", [ALL_TESTS]: "0" },
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).output();
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout);
  return { success, output: success ? output : output + decoder.decode(stderr) };
}

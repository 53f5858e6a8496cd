import { createTempFolder } from "../../../test_support/temp_folder.ts";
import { ROOT } from "../../../test_support/root.ts";

/** A copy of the component in a separate folder, where graphql is graphql 16. */
export interface GraphQL16Copy extends AsyncDisposable {
  /** Path of the folder, without a slash at its end. */
  readonly folder: string;
  /** Path of the configuration. */
  readonly config: string;
  /** Paths of its tests, except those that need files from outside of the component. */
  readonly tests: readonly string[];
}

/**
 * Copies the component: files of the repository itself always use the repository's own graphql,
 * whichever configuration Deno uses.
 */
export async function createGraphQL16Copy(): Promise<GraphQL16Copy> {
  const temp = await createTempFolder();
  const folder = temp.path;
  const tests = [];
  for await (const path of sourceFiles(`${ROOT}/mirage_graphql`)) {
    const target = path.replace(`${ROOT}/mirage_graphql`, folder);
    await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(path, target);
    if (target.endsWith("_test.ts")) tests.push(target);
  }
  const { imports, unstable, compilerOptions } = JSON.parse(
    await Deno.readTextFile(`${ROOT}/deno.json`),
  );
  const config = {
    imports: { ...imports, graphql: "npm:graphql@^16.9.0", "@trestle/mirage-graphql": "./mod.ts" },
    unstable,
    compilerOptions,
    nodeModulesDir: "none",
    lock: false,
  };
  await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
  const { [Symbol.asyncDispose]: remove } = temp;
  return { folder, config: `${folder}/deno.json`, tests, [Symbol.asyncDispose]: remove };
}

/** Where files import what the copy lacks: other components, the repository's scripts, the bench. */
const OUTSIDE = /(\.\.\/)+(scripts|test_support|mcp_server|api_wrapper|bench)\//;

async function* sourceFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && name !== "bench" && name !== "graphql16") yield* sourceFiles(path);
    if (!/\.(ts|js)$/.test(name)) continue;
    if (!OUTSIDE.test(await Deno.readTextFile(path))) yield path;
  }
}

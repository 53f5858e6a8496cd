import { strictEqual } from "node:assert/strict";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ROOT } from "../../../scripts/root.ts";
import { writeGraphQL16Config } from "./graphql16_config.ts";

const COMPONENT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const HERE = fileURLToPath(new URL(".", import.meta.url));
const DEADLINE_MS = 180_000;

Deno.test("every package that mirage_graphql imports gets graphql 16 where the host has it", async () => {
  await using config = await writeGraphQL16Config();
  const program = `
    import { GraphQLSchema, version } from "graphql";
    import { makeExecutableSchema } from "@graphql-tools/schema";
    import { createGraphQLHandler } from "@trestle/mirage-graphql";
    import { createServer } from "miragejs";
    const schema = makeExecutableSchema({ typeDefs: "type Query { a: Int }" });
    const handler = createGraphQLHandler(schema, createServer({ environment: "test" }).schema);
    const { data, errors } = await handler(null, { requestBody: { query: "{ a }" } });
    console.log(version.split(".")[0], schema instanceof GraphQLSchema, errors, data.a);
  `;
  const path = config.path.replace("deno.json", "program.ts");
  await Deno.writeTextFile(path, program);
  const { output } = await runDeno(["run", "-A", "--no-check", `--config=${config.path}`, path]);
  strictEqual(output.trim(), "16 true undefined null");
});

/**
 * All in one module, so that graphql is loaded once. Left out are the tests that open a page, whose bundles are made with graphql 17, and those that
 * never meet graphql's code: pure ones, and searches for counterexamples beyond a few.
 */
Deno.test("mirage_graphql passes its tests on graphql 16", async () => {
  await using config = await writeGraphQL16Config();
  const imports = [];
  for await (const file of testFiles(COMPONENT)) {
    if (await isForBoth(file)) imports.push(`import ${JSON.stringify(pathToFileURL(file))};\n`);
  }
  const all = config.path.replace("deno.json", "all_test.ts");
  await Deno.writeTextFile(all, imports.join(""));
  const args = ["test", "-A", "--no-check", `--config=${config.path}`, all];
  const { success, output } = await runDeno(args);
  strictEqual(success, true, output);
});

Deno.test("mirage_graphql's types are those of graphql 16 too", async () => {
  await using config = await writeGraphQL16Config();
  const { success, output } = await runDeno([
    "check",
    `--config=${config.path}`,
    `${COMPONENT}/mod.ts`,
  ]);
  strictEqual(success, true, output);
});

async function isForBoth(file: string): Promise<boolean> {
  if (file.startsWith(HERE) || file.startsWith(`${COMPONENT}/relay/`)) return false;
  if (file.endsWith("_property_test.ts")) return false;
  const text = await Deno.readTextFile(file);
  return !/scripts\/(browser|npm)\//.test(text);
}

async function* testFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testFiles(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}

async function runDeno(args: readonly string[]): Promise<{ success: boolean; output: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", PROPERTY_RUNS: "10" },
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).output();
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout);
  return { success, output: success ? output : output + decoder.decode(stderr) };
}

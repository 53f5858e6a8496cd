import { strictEqual } from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { createGraphQL16Copy } from "./graphql16_copy.ts";

/** It uses a whole core for over a minute, and other tests run beside it. */
const DEADLINE_MS = 1_200_000;

const PROBE = `
  import { GraphQLSchema, version } from "graphql";
  import { makeExecutableSchema } from "@graphql-tools/schema";
  const schema = makeExecutableSchema({ typeDefs: "type Query { a: Int }" });
  console.log(version.split(".")[0], schema instanceof GraphQLSchema);
`;

/**
 * Tests that open a page are left out, because they need the repository's scripts. All tests run in
 * one module, so that graphql is loaded once.
 */
Deno.test("mirage_graphql's types compile and its tests pass on graphql 16, which all its packages use", async () => {
  await using copy = await createGraphQL16Copy();
  const { folder, tests } = copy;
  await Deno.writeTextFile(`${folder}/probe.ts`, PROBE);
  const probed = await runDeno(folder, ["run", "-A", "--no-check", "probe.ts"]);
  strictEqual(probed.output.trim(), "16 true");

  const imports = tests.map((path) => `import ${JSON.stringify(pathToFileURL(path))};\n`);
  await Deno.writeTextFile(`${folder}/all_test.ts`, imports.join(""));
  const { success, output } = await runDeno(folder, ["test", "-A", "all_test.ts"]);
  strictEqual(success, true, output.slice(-5_000));
});

async function runDeno(
  cwd: string,
  args: readonly string[],
): Promise<{ success: boolean; output: string }> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", PROPERTY_RUNS: "10" },
    signal: AbortSignal.timeout(DEADLINE_MS),
  }).output();
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout);
  return { success, output: success ? output : output + decoder.decode(stderr) };
}

import { ok } from "node:assert/strict";
import { codeBlocks } from "../../test_support/markdown.ts";
import { ROOT } from "../../test_support/root.ts";
import { requires } from "../../test_support/services.ts";
import { builtPackage } from "./testing/built_package.ts";
import { createConsumer } from "./testing/consumer.ts";

const PACKAGES = ["miragejs@0.1", "graphql@16", "msw@2"];
const RUNNERS = ["vitest@4", "jsdom@29", "happy-dom@21", "jest@30"];
const JEST_ENVIRONMENTS = ["jest-environment-jsdom@30", "jest-fixed-jsdom@0.0.11"];

/** Loads the package with nothing else, where Jest's jsdom has no `TextDecoder`. */
const LOADS = `
  import { createGraphQLHandler } from "@trestle/mirage-graphql";
  import { createServer } from "miragejs";
  test("answers", async () => {
    const { schema, db } = createServer({ environment: "test" });
    const types = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
    const { query } = createGraphQLHandler(types, schema);
    db.loadData({ people: [{ name: "Ada" }] });
    expect(await query("{ people { name } }")).toEqual({ people: [{ name: "Ada" }] });
  });
`;

const VITEST = ["vitest", "run", "--globals", "people", "--environment"];
const JEST = ["jest", "--config", '{"transform":{}}', "--env"];

/** The program of the test runner, and the file that it runs. */
const RUNS = [
  [...VITEST, "node"],
  [...VITEST, "jsdom"],
  [...VITEST, "happy-dom"],
  [...JEST, "node", "people"],
  [...JEST, "jest-fixed-jsdom", "people"],
  [...JEST, "jsdom", "loads"],
];

/** A bound, not an expectation. */
const DEADLINE_MS = 300_000;

Deno.test({
  ...requires("node", "the recipe for MSW works in Vitest and Jest, with a window and without"),
  fn: async (t) => {
    await using built = await builtPackage("mirage_graphql");
    const packages = [built.tarball, ...PACKAGES, ...RUNNERS, ...JEST_ENVIRONMENTS];
    await using consumer = await createConsumer("@trestle/mirage-graphql", packages);
    await Deno.writeTextFile(`${consumer.folder}/people.test.js`, await readRecipe());
    await Deno.writeTextFile(`${consumer.folder}/loads.test.js`, LOADS);
    for (const args of RUNS) {
      await t.step(args.join(" "), async () => await run(consumer.folder, args));
    }
  },
});

async function readRecipe(): Promise<string> {
  const blocks = codeBlocks(await Deno.readTextFile(`${ROOT}/mirage_graphql/docs/serve.md`));
  const recipe = blocks.find(({ code }) => code.startsWith("// people.test.js\n"));
  if (recipe === undefined) throw new Error('Cannot find "people.test.js" in docs/serve.md');
  return recipe.code;
}

async function run(folder: string, args: readonly string[]): Promise<void> {
  const command = new Deno.Command("npx", {
    args: ["--no-install", ...args],
    cwd: folder,
    env: { NODE_OPTIONS: "--experimental-vm-modules", CI: "true" },
    stdin: "null",
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const { success, stdout, stderr } = await command.output();
  const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  ok(success, `${text}${errors}`);
}

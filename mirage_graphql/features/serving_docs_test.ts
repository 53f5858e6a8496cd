import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { HELP, parseServeArgs } from "../serving/args.ts";
import { loadConfig } from "../serving/load_config.ts";
import { loadMock } from "../serving/load_mock.ts";

const PAGE = await Deno.readTextFile(new URL("../docs/serve.md", import.meta.url));

/** The code blocks of the page in a language. */
function blocks(language: string): string[] {
  return Array.from(PAGE.matchAll(/^```(\S+).*\n([\s\S]*?)^```$/gm))
    .filter(([, name]) => name === language).map(([, , text = ""]) => text);
}

/** The words of a command, without the quotes of a shell. */
function words(command: string): string[] {
  return Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

const COMMAND = "npx @trestle/mirage-graphql serve ";

Deno.test("every command in the page on serve is valid, and together they use every option", () => {
  const commands = blocks("sh").join("").split("\n").filter((line) => line.startsWith(COMMAND));
  const used = new Set(["--help"]);
  for (const command of commands) {
    const args = words(command.slice(COMMAND.length));
    ok(parseServeArgs(args), command);
    args.filter((arg) => arg.startsWith("--")).forEach((arg) => used.add(arg));
  }
  const known = [...HELP.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
  const documented = [...PAGE.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, name]) => name);
  deepStrictEqual(documented, known);
  deepStrictEqual(known.filter((name = "") => !used.has(name)), []);
});

Deno.test("the config file and the seed file of the page on serve can be used", async () => {
  const config = blocks("ts").find((text) => text.includes("ServeConfig")) ?? "";
  await using folder = await createTempFolder();
  await Deno.writeTextFile(`${folder.path}/mock.config.ts`, config);
  const loaded = await loadConfig(`${folder.path}/mock.config.ts`);
  strictEqual(loaded.latency, "100..400");

  const text = `
    type Person { id: ID! name: String! posts: [Post!]! }
    type Post { id: ID! title: String! author: Person }
    type Query { people: [Person!]! version: String! }
    type Mutation { createPost(title: String!): Post! }
  `;
  const schema = [{ path: "schema.graphql", text }];
  const fromConfig = await loadMock(schema, { config: loaded });
  deepStrictEqual(fromConfig.counts, { people: 1, posts: 1 });
  fromConfig.close();
  const [seeds = ""] = blocks("json");
  const fromSeeds = await loadMock(schema, { seedFile: { path: "seed.json", text: seeds } });
  deepStrictEqual(fromSeeds.counts, { people: 1, posts: 3 });
  fromSeeds.close();
});

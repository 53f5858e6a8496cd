import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { dirname } from "node:path";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { isWholeRun } from "../../test_support/tier.ts";
import { READS_TYPESCRIPT, startServe } from "../testing/serve_process.ts";

/** A folder with files by path. */
async function createFolder(files: Readonly<Record<string, string>>) {
  const folder = await createTempFolder();
  const write = async (path: string, text: string) => {
    await Deno.mkdir(dirname(`${folder.path}/${path}`), { recursive: true });
    await Deno.writeTextFile(`${folder.path}/${path}`, text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return { ...folder, write };
}

async function ask(url: string, query: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
    ...init,
  });
  return await answer.json();
}

const PEOPLE = "type Query { people: [Person!]! } type Person { id: ID! name: String! }";
const POSTS = "extend type Query { posts: [Post!]! } type Post { id: ID! title: String! }";

Deno.test("serve merges the files of a folder, and reads new ones", async () => {
  await using folder = await createFolder({ "schema/people.graphql": PEOPLE });
  await using serve = startServe(`${folder.path}/schema`, "--port", "0");
  const url = await serve.url();
  match(serve.output, /\/schema at http:\S+: 5 people\n$/);

  await folder.write("schema/blog/posts.gql", POSTS);
  await serve.until(/Read again: 5 posts, 5 people/);
  const { data } = JSON.parse(JSON.stringify(await ask(url, "{ posts { id } }")));
  strictEqual(data.posts.length, 5);

  let printed = serve.output.length;
  await folder.write("schema/blog/posts.gql", POSTS.replace("title: String!", "title: Strin!"));
  await serve.until(/schema\/blog\/posts.gql:1:\d+: Unknown type "Strin"/, printed);
  printed = serve.output.length;
  await Deno.remove(`${folder.path}/schema/blog`, { recursive: true });
  await serve.until(/Read again: 5 people\n/, printed);
});

Deno.test("serve accepts globs, and does not reread files that they don't match", async () => {
  await using folder = await createFolder({ "a/people.graphql": PEOPLE, "b/posts.gql": POSTS });
  await using serve = startServe(`${folder.path}/**/*.{graphql,gql}`, "--port", "0");
  await serve.url();
  match(serve.output, /: 5 people, 5 posts\n$/);
  await folder.write("a/notes.md", "later");
  // longer than changes are collected for
  await new Promise((resolve) => setTimeout(resolve, 300));
  // a file that is written in place may be reported in two parts
  await folder.write("a/more.txt", "extend type Query { size: Int! }");
  await Deno.rename(`${folder.path}/a/more.txt`, `${folder.path}/a/more.gql`);
  await serve.until(/Read again: .*\n/);
  strictEqual(serve.output.match(/Read again/g)?.length, 1);
});

Deno.test("serve serves the schema of a running API, which it requests once", async () => {
  await using folder = await createFolder({
    "people.graphql": PEOPLE,
    "seeds.json": '{ "people": [{ "name": "Ada" }] }',
    "again.json": '{ "people": [] }',
  });
  await using api = startServe(`${folder.path}/people.graphql`, "--port", "0");
  const source = await api.url();
  await using serve = startServe(source, "--seed", `${folder.path}/seeds.json`, "--port", "0");
  await serve.until(/: 1 people\n/);
  const [, url = ""] = /at (http:\S+\/):/.exec(serve.output) ?? [];
  deepStrictEqual(await ask(url, "{ people { name } }"), { data: { people: [{ name: "Ada" }] } });

  api.kill("SIGTERM");
  await api.status;
  await folder.write("seeds.json", '{ "people": [{ "name": "Eve" }] }');
  await serve.until(/Read again: 1 people/);
  deepStrictEqual(await ask(url, "{ people { name } }"), { data: { people: [{ name: "Eve" }] } });
});

Deno.test("serve supports batches, latencies, failures, origins and strict arguments", async () => {
  await using folder = await createFolder({
    "people.graphql": PEOPLE.replace("people", "people(shoe: Int)"),
  });
  const app = "http://localhost:5173";
  const options = ["--batch", "--latency", "50..60", "--fail", "People=503", "--origin", app];
  await using serve = startServe(
    `${folder.path}/people.graphql`,
    "--port=0",
    ...options,
    "--unknown-arguments=error",
  );
  const url = await serve.url();
  const query = "query People { people { id } }";
  const post = (body: unknown) =>
    fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: app },
      body: JSON.stringify(body),
    });

  const failed = await post({ query });
  strictEqual(failed.status, 503);
  strictEqual(failed.headers.get("access-control-allow-origin"), app);
  await failed.body?.cancel();
  const started = performance.now();
  const batch = await post([{ query }, { query }]);
  ok(performance.now() - started >= 49);
  strictEqual(batch.headers.get("access-control-allow-credentials"), "true");
  strictEqual((await batch.json()).length, 2);
  const { errors: [error] } = JSON.parse(
    JSON.stringify(await ask(url, "{ people(shoe: 42) { id } }")),
  );
  match(error.message, /shoe/);
});

Deno.test("serve reads its settings from a config file, and the command line takes precedence", async () => {
  const config = (name: string) => `
    import { Model } from "miragejs";
    const names = ["${name}"];
    export default {
      schema: "schema",
      models: { person: Model.extend({}) },
      seeds: { people: names.map((name) => ({ name })) },
      resolvers: { Person: { shout: ({ name }) => name.toUpperCase() } },
      latency: 60_000,
      port: 0,
    };
  `;
  await using folder = await createFolder({
    "mock.config.mjs": config("Ada"),
    "schema/people.graphql": PEOPLE.replace("name: String!", "name: String! shout: String!"),
  });
  const path = `${folder.path}/mock.config.mjs`;
  await using serve = startServe("--config", path, "--latency", "0");
  const url = await serve.url();
  const query = "{ people { name shout } }";
  deepStrictEqual(await ask(url, query), { data: { people: [{ name: "Ada", shout: "ADA" }] } });

  await folder.write("mock.config.mjs", config("Eve"));
  await serve.until(/Read again: 1 people/);
  deepStrictEqual(await ask(url, query), { data: { people: [{ name: "Eve", shout: "EVE" }] } });
  const printed = serve.output.length;
  await folder.write("mock.config.mjs", "export default { modles: {} };");
  await serve.until(/Cannot use "modles": there is no such key; did you mean "models"/, printed);
});

Deno.test("serve reads a config file in TypeScript, or says that Node doesn't", async () => {
  await using folder = await createFolder({
    "mock.config.ts": `
      import type { ServeConfig } from "@trestle/mirage-graphql/serve";
      const config: ServeConfig = { seeds: { people: [{ name: "Ada" }] }, port: 0 };
      export default config;
    `,
    "people.graphql": PEOPLE,
  });
  const { path } = folder;
  await using serve = startServe(`${path}/people.graphql`, "--config", `${path}/mock.config.ts`);
  if (READS_TYPESCRIPT) {
    match((await serve.until(/: .*\n/))[0], /: 1 people\n$/);
  } else {
    strictEqual((await serve.status).code, 1);
    match(
      serve.output,
      /^\S+mock.config.ts: Cannot load the config file: this version of Node reads/,
    );
  }
});

Deno.test("serve reports what is wrong with config files and sources, and exits", async () => {
  await using folder = await createFolder({
    "people.graphql": PEOPLE,
    "none.mjs": "export const a = 1;",
    "bad.mjs": "export default {",
    "throws.mjs": 'throw new Error("no database");',
    "resolvers.mjs": "export default { resolvers: { Persn: {} } };",
    "seeds.mjs": 'export default { seeds() { throw new Error("no seeds"); } };',
    "empty.mjs": "export default {};",
    "empty/notes.md": "",
  });
  const { path } = folder;
  const schema = `${path}/people.graphql`;
  const cases: [string[], RegExp][] = [
    [[schema, "--config", `${path}/none.mjs`], /none.mjs: Cannot use it: it has no default export/],
    [[schema, "--config", `${path}/bad.mjs`], /bad.mjs: Cannot load the config file: /],
    [[schema, "--config", `${path}/throws.mjs`], /throws.mjs: Cannot load .*: no database\n$/],
    [[schema, "--config", `${path}/nowhere.mjs`], /nowhere.mjs: Cannot load .*[Nn]o such file/],
    [[schema, "--config", `${path}/resolvers.mjs`], /resolvers.mjs: .*Persn/],
    [[schema, "--config", `${path}/seeds.mjs`], /seeds.mjs: no seeds\n$/],
    [["--config", `${path}/empty.mjs`], /^Cannot serve: neither the command nor the config file/],
    [[`${path}/empty`], /empty": there is no .graphql, .graphqls or .gql file in it\n$/],
    [[schema, "--header", "A: b"], /^Cannot use headers: only the request to a URL has them/],
    [[schema, "https://a.test/"], /^Cannot serve "https:\/\/a.test\/" with other sources: /],
  ];
  // In a run of every day, some: each starts the program.
  const some = cases.filter((_, index) => isWholeRun || index % 3 === 0);
  await Promise.all(some.map(async ([args, expected]) => {
    await using serve = startServe(...args, "--port", "0");
    strictEqual((await serve.status).code, 1, serve.output);
    match(serve.output, expected);
  }));
});

import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { type CheckHost, runCheck } from "../checking/run_check.ts";
import { createMock } from "../mod.ts";
import { loadConfig } from "../serving/load_config.ts";
import { findSchemaFiles, readFile } from "../serving/schema_files.ts";

const APP = new URL("../testdata/check_app/", import.meta.url).pathname;
const SCHEMA = `${APP}schema.graphql`;
const COMMAND = new URL("../check.ts", import.meta.url).pathname;

/** What a check has printed and written. */
interface Checked {
  readonly code: number;
  readonly printed: string;
  readonly errors: string;
  readonly written: ReadonlyMap<string, string>;
}

/** Runs a check in this process, on the real files. */
async function check(...args: string[]): Promise<Checked> {
  const [printed, errors]: string[][] = [[], []];
  const written = new Map<string, string>();
  const host: CheckHost = {
    findFiles: findSchemaFiles,
    readFile,
    loadConfig,
    writeFile: (path, text) => Promise.resolve(void written.set(path, text)),
    print: (text) => void printed?.push(text),
    error: (text) => void errors?.push(text),
  };
  const code = await runCheck(args, host);
  return { code, printed: printed?.join("\n") ?? "", errors: errors?.join("\n") ?? "", written };
}

Deno.test("runCheck() says which operations answer, which don't, and why", async () => {
  const { code, printed } = await check(`${APP}src`, "--schema", SCHEMA);
  strictEqual(code, 0);
  deepStrictEqual(printed.replaceAll(APP, "").split("\n"), [
    "answers  mutation Create       src/Editor.vue:5",
    "answers  subscription Created  src/Live.tsx:4",
    "answers  query Weather         src/Live.tsx:7",
    "answers  query Articles        src/articles.ts:5",
    "refused  mutation Rank         src/Editor.vue:7",
    "         rankArticles takes (ids: [ID!]!), which none of the conventions that are on explains",
    "refused  mutation Recompute    src/Editor.vue:9",
    "         recompute takes (articleId: ID!, depth: Int), which none of the conventions that are on explains",
    "refused  subscription Ticked   src/Live.tsx:5",
    '         Cannot subscribe to "Subscription.ticked": its name says nothing about records that are created, updated or deleted',
    "refused  subscription Pinned   src/Live.tsx:6",
    '         Cannot subscribe to "Subscription.pinned": its name says nothing about records that are created, updated or deleted',
    "invalid  query Wrong           src/Live.tsx:8",
    '         Cannot query field "nothing" on type "Article".',
    "refused  mutation Publish      src/articles.ts:11",
    '         frobArticle changes a part of the Article, which has no "publish"',
    "refused  mutation Wave         src/gql.ts:3",
    "         wave takes no arguments, which none of the conventions that are on explains",
    "         guess takes no arguments, which none of the conventions that are on explains",
    "unread   src/Live.tsx:9",
    '         only the app knows the value of "${fields}", which is part of a selection',
    "",
    "11 operations in 5 files against schema.graphql: 4 answer, 6 refused, 1 invalid, 1 unread",
    "7 fields need a resolver: --stubs FILE writes what to begin with",
  ]);
});

Deno.test("runCheck() prints the same as JSON", async () => {
  const { printed } = await check(`${APP}src/gql.ts`, "--schema", SCHEMA, "--json");
  const reasons = ["wave", "guess"].map((name) =>
    `${name} takes no arguments, which none of the conventions that are on explains`
  );
  deepStrictEqual(JSON.parse(printed), {
    schema: SCHEMA,
    files: 1,
    operations: [{
      name: "Wave",
      type: "mutation",
      path: `${APP}src/gql.ts`,
      line: 3,
      verdict: "refused",
      reasons,
      warnings: [],
      fields: ["Mutation.wave", "Mutation.guess"],
    }],
    unread: [],
  });
});

Deno.test("with the stubs of runCheck(), the operations answer", async () => {
  const { written } = await check(`${APP}src`, "--schema", SCHEMA, "--stubs", "stubs.ts");
  const text = written.get("stubs.ts")?.replaceAll(
    '"@trestle/mirage-graphql"',
    JSON.stringify(new URL("../mod.ts", import.meta.url).href),
  ) ?? "";
  await using folder = await createTempFolder();
  const path = `${folder.path}/stubs.ts`;
  await Deno.writeTextFile(path, text);
  const { resolvers }: { resolvers: Record<string, Record<string, object>> } = await import(path);
  const mock = createMock(await Deno.readTextFile(SCHEMA), undefined, {
    conventions: "common",
    resolvers,
  });
  mock.db.loadData({ articles: [{ id: "1", slug: "a", isPublished: false }, { id: "2" }] });
  const data = await mock.query(`mutation {
    frobArticle(input: { id: 1, publish: true, clientMutationId: "x" }) {
      article { id isPublished } errors { message } clientMutationId
    }
    rankArticles(ids: [2, 1]) { id }
    recompute(articleId: 1) { percent state }
    wave
    guess { __typename }
  }`);
  deepStrictEqual(data, {
    frobArticle: { article: { id: "1", isPublished: true }, errors: [], clientMutationId: "x" },
    rankArticles: [{ id: "2" }, { id: "1" }],
    recompute: { percent: 0, state: "WAITING" },
    wave: 0,
    guess: { __typename: "Article" },
  });
  const ticked = mock.subscribe({ query: "subscription { ticked(of: 1) { percent } }" });
  deepStrictEqual(JSON.parse(JSON.stringify((await ticked.next()).value)), {
    data: { ticked: { percent: 0 } },
  });
  const pinned = mock.subscribe({ query: "subscription { pinned { id } }" });
  mock.db.loadData({ articles: [{ id: "3" }] });
  deepStrictEqual(JSON.parse(JSON.stringify((await pinned.next()).value)), {
    data: { pinned: { id: "3" } },
  });
});

Deno.test("runCheck() uses the conventions and the resolvers of a config file", async () => {
  await using folder = await createTempFolder();
  const config = `${folder.path}/mock.config.js`;
  await Deno.writeTextFile(
    config,
    `export default { schema: "schema.graphql", resolvers: { Mutation: {
       wave: () => 1, guess: () => ({ __typename: "User" }),
     } } };`,
  );
  await Deno.copyFile(SCHEMA, `${folder.path}/schema.graphql`);
  const own = await check(`${APP}src/gql.ts`, "--config", config, "--strict");
  strictEqual(own.code, 0, own.printed);
  await Deno.writeTextFile(config, `export default { conventions: "strict" };`);
  const strict = await check(`${APP}src/Editor.vue`, "--config", config, "--schema", SCHEMA);
  match(strict.printed, /^refused {2}mutation Create/m);
});

Deno.test("runCheck() writes stubs in JavaScript if the file's name says so", async () => {
  const files = [`${APP}src/articles.ts`, `${APP}src/row.graphql`];
  const { written } = await check(...files, "--schema", SCHEMA, "--stubs", "stubs.js");
  match(written.get("stubs.js") ?? "", /frobArticle\(_obj, args, \{ mockSchema \}\) \{/);
  ok(!written.get("stubs.js")?.includes("satisfies"));
});

Deno.test("runCheck() leaves an operation alone that another one has changed", async () => {
  await using folder = await createTempFolder();
  const path = `${folder.path}/app.graphql`;
  await Deno.writeTextFile(
    path,
    `mutation A($id: ID!) { deleteUser(id: $id) { id } }
     mutation B($id: ID!) { deleteUser(id: $id) { id username } }
     query C($id: ID!) { user(id: $id) { id } }`,
  );
  const schema = `${folder.path}/schema.graphql`;
  await Deno.writeTextFile(
    schema,
    `type User { id: ID! username: String! }
     type Query { user(id: ID!): User! }
     type Mutation { deleteUser(id: ID!): User! }`,
  );
  const { code, printed } = await check(path, "--schema", schema, "--strict");
  strictEqual(code, 0, printed);
});

const REFUSED: readonly [args: readonly string[], code: number, error: RegExp][] = [
  [["--strict", "src"], 1, /^$/],
  [["src/row.graphql"], 2, /^Cannot check ".*row\.graphql": there is no operation in it$/],
  [["src/none.ts"], 2, /none\.ts: Cannot read the file: No such file$/],
  [["src/*.py"], 2, /\*\.py": there is no such file$/],
  [["src", "--schema", `${APP}none.graphql`], 2, /none\.graphql: Cannot read the file/],
  [["src", "--wrong"], 2, /^Cannot use the arguments: Unknown option '--wrong'; see --help$/],
];

for (const [args, code, error] of REFUSED) {
  Deno.test(`runCheck() exits with ${code} for ${args.join(" ").replace(APP, "")}`, async () => {
    const own = args.map((arg) => arg.startsWith("src") ? `${APP}${arg}` : arg);
    const result = await check(...own, ...own.includes("--schema") ? [] : ["--schema", SCHEMA]);
    strictEqual(result.code, code);
    match(result.errors, error);
  });
}

Deno.test("the program check prints, writes the stubs, and exits with its code", async () => {
  await using folder = await createTempFolder();
  const stubs = `${folder.path}/stubs.ts`;
  const args = ["run", "-A", "--no-check", COMMAND, "src/*.{ts,vue,graphql}", "--strict"];
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...args, "--schema", "schema.graphql", "--stubs", stubs],
    cwd: APP,
    env: { NO_COLOR: "1" },
  }).output();
  strictEqual(code, 1);
  match(new TextDecoder().decode(stdout), /^6 operations in 4 files against schema\.graphql: 2 a/m);
  match(await Deno.readTextFile(stubs), /\} satisfies ResolverMap<MockContext>;\n$/);
});

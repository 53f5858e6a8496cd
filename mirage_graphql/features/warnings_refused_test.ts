import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createTempFolder } from "../../test_support/temp_folder.ts";
import { createMock, type CreateMockOptions, type Mock } from "../mod.ts";
import { startServe } from "../testing/serve_process.ts";

const SCHEMA = `
  type Todo { id: ID! text: String! isDone: Boolean! }
  input DoneInput { id: ID! done: Boolean! }
  type DonePayload { todo: Todo ok: Boolean! }
  type Query { todos(style: String): [Todo!]! todo(id: ID!): Todo! version: String! }
  type Mutation { frobTodo(input: DoneInput!): DonePayload wave: Boolean! last: Boolean! }
  type Subscription { flipped: Todo! }
`;

const FROB = `mutation Frob { frobTodo(input: { id: 1, done: true }) { todo { id isDone } ok } }`;

function createTodos(options: CreateMockOptions = {}): Mock {
  const mock = createMock(SCHEMA, undefined, { conventions: "common", ...options });
  mock.db.loadData({ todos: [{ id: "1", text: "Tea", isDone: false }] });
  return mock;
}

/**
 * What is printed for some operations. Texts are printed after the response, in the order of the
 * operations, so that of a last operation ends the wait.
 */
async function printedBy(mock: Mock, run: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { warn } = console;
  const ended = Promise.withResolvers<void>();
  console.warn = (text: string) => {
    if (text.includes("Mutation.last")) ended.resolve();
    else texts.push(text);
  };
  try {
    await run();
    await mock.query("mutation Last { last }").catch(() => {});
    await ended.promise;
    return texts;
  } finally {
    console.warn = warn;
  }
}

/** Sends documents, and ignores their errors. */
function send(mock: Mock, ...documents: string[]): () => Promise<unknown> {
  return async () => {
    for (const document of documents) await mock.query(document).catch(() => {});
  };
}

Deno.test("a refused operation is printed once, with a resolver to begin with", async () => {
  const mock = createTodos();
  const texts = await printedBy(mock, send(mock, FROB, FROB, "mutation Wave { wave }"));
  deepStrictEqual(texts[0]?.split("\n"), [
    "[mirage-graphql] mutation Frob was refused: the mock has no rule for Mutation.frobTodo.",
    'frobTodo changes a part of the Todo, which has no "done".',
    "The conventions that are on: hasura, prisma, keystone, postgraphile, amplify, strapi, " +
    "pg_graphql, relay, general.",
    'What to begin with, in the option "resolvers"; change it to what the API does:',
    "",
    "resolvers: {",
    "  Mutation: {",
    "    frobTodo(_obj, args: { input: { id: string; done: boolean } }, { mockSchema }) {",
    '      const todo = mockSchema.findBy("todo", { id: args.input.id });',
    '      if (!todo) throw new Error(`Cannot find "${args.input.id}": there is no such Todo`);',
    "      todo.update({ isDone: args.input.done });",
    "      return { todo, ok: true };",
    "    },",
    "  },",
    "},",
  ]);
  deepStrictEqual(texts.map((text) => /mutation \w+/.exec(text)?.[0]), [
    "mutation Frob",
    "mutation Wave",
  ]);
});

Deno.test("the resolver that is printed runs when it is pasted", async () => {
  const mock = createTodos();
  const [text = ""] = await printedBy(mock, send(mock, FROB));
  await using folder = await createTempFolder();
  const path = `${folder.path}/options.ts`;
  await Deno.writeTextFile(
    path,
    `export default {\n${text.slice(text.indexOf("resolvers: {"))}\n}`,
  );
  const { default: options }: { default: CreateMockOptions } = await import(path);
  deepStrictEqual(await createTodos(options).query(FROB), {
    frobTodo: { todo: { id: "1", isDone: true }, ok: true },
  });
});

Deno.test("one document with another operation, and another document, are printed too", async () => {
  const mock = createTodos();
  const two = "mutation A { wave } mutation B { wave }";
  const texts = await printedBy(mock, async () => {
    for (const operationName of ["A", "B", "A"]) {
      await mock.query(two, {}, { operationName }).catch(() => {});
    }
    await send(mock, "mutation A { a: wave }")();
  });
  deepStrictEqual(texts.map((text) => /mutation (\w+)/.exec(text)?.[1]), ["A", "B", "A"]);
});

Deno.test("a refused query and a refused subscription are printed", async () => {
  const mock = createTodos({ conventions: "strict" });
  const texts = await printedBy(mock, async () => {
    await send(mock, '{ todos(style: "bold") { id } }', "query V { version }")();
    await mock.subscribe({ query: "subscription Live { flipped { id } }" }).next();
  });
  strictEqual(texts.length, 3);
  match(
    texts[0] ?? "",
    /^\[mirage-graphql\] query \(anonymous\) .* Query\.todos\.\nCannot filter /,
  );
  match(texts[0] ?? "", /^No conventions are on: with conventions: "common", more is answered /m);
  match(texts[1] ?? "", / version\(\) \{\n/);
  match(texts[2] ?? "", /^import \{ changesOf \} from "@trestle\/mirage-graphql";$/m);
  match(texts[2] ?? "", /^ {4}flipped: changesOf\("todo", "created"\),$/m);
});

Deno.test("errors of data, of planned failures and of one's own resolvers are not printed", async () => {
  const mock = createTodos({
    resolvers: {
      Mutation: {
        wave: () => {
          throw new Error("no arms");
        },
      },
    },
  });
  mock.failNext("Fails", new Error("disk full"));
  const documents = ["{ todo(id: 9) { id } }", "mutation { wave }", "query Fails { version }"];
  deepStrictEqual(await printedBy(mock, send(mock, ...documents, "{ unknown }")), []);
});

Deno.test("a refusal within one's own resolver has no resolver to begin with", async () => {
  const { mockGraphQLFieldResolver } = await import("../mod.ts");
  const mock = createTodos({ resolvers: { Mutation: { wave: mockGraphQLFieldResolver } } });
  deepStrictEqual(await printedBy(mock, send(mock, "mutation { wave }")), []);
});

Deno.test('with "warnings: false", and in production, nothing is printed', async () => {
  const program = `
    import { createMock } from "${new URL("../mod.ts", import.meta.url)}";
    const mock = createMock(
      "type Query { version: String! } type A { id: ID! b: B c: B } type B { id: ID! a: A d: A }",
      undefined,
      { warnings: Deno.args[0] === "off" ? false : undefined },
    );
    await mock.query("{ version }").catch(({ message }) => console.log(message));
  `;
  await using folder = await createTempFolder();
  const path = `${folder.path}/program.ts`;
  await Deno.writeTextFile(path, program);
  const run = async (argument: string, environment: string) => {
    const config = new URL("../../deno.json", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", config, path, argument],
      env: { NODE_ENV: environment, NO_COLOR: "1" },
    }).output();
    match(new TextDecoder().decode(stdout), /^Cannot return data: Cannot resolve Query\.version: /);
    return new TextDecoder().decode(stderr);
  };
  match(await run("on", "test"), /^\[mirage-graphql\] query \(anonymous\) was refused/m);
  ok(!(await run("on", "production")).includes("was refused"));
  strictEqual(await run("off", "test"), "");
});

Deno.test("serve prints a refused operation, and where its resolvers are given", async () => {
  await using folder = await createTempFolder();
  const schema = `${folder.path}/schema.graphql`;
  await Deno.writeTextFile(schema, SCHEMA);
  await using served = startServe(schema, "--port", "0");
  const url = await served.url();
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: FROB }),
  });
  await response.body?.cancel();
  await served.until(/^\[mirage-graphql\] mutation Frob was refused/m);
  await served.until(/^What to begin with, in "resolvers" of a config file \(--config mock/m);
});

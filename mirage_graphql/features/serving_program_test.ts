import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { createClient } from "graphql-sse";
import { isWholeRun } from "../../test_support/tier.ts";
import { openSocket } from "../testing/raw_socket.ts";
import { startServe } from "../testing/serve_process.ts";

const SCHEMA = `
  type Person { id: ID!, name: String!, posts: [Post!]! }
  type Post { id: ID!, title: String!, author: Person! }
  input PostInput { title: String!, authorId: ID! }
  type Query { people: [Person!]!, posts: [Post!]! }
  type Mutation { createPost(input: PostInput!): Post!, deletePost(id: ID!): Post }
  type Subscription { postCreated: Post! }
`;

/** A folder with a schema and, if given, a seed file. */
async function folder(schema: string, seeds?: object) {
  const path = await Deno.makeTempDir({ prefix: "serve_test_" });
  const files = { schema: `${path}/schema.graphql`, seeds: `${path}/seed.json` };
  await Deno.writeTextFile(files.schema, schema);
  if (seeds !== undefined) await Deno.writeTextFile(files.seeds, JSON.stringify(seeds));
  return { ...files, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Asks until the answer is as given: the system reports one change of a file more than once. */
async function untilAnswer(url: string, query: string, answer: object): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  while (!isDeepStrictEqual(await ask(url, query), answer)) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function ask(url: string, query: string): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return await answer.json();
}

Deno.test("serve answers queries, mutations, subscriptions and browsers", async () => {
  await using files = await folder(SCHEMA, {
    people: [{ name: "Ada", posts: [{ title: "One" }] }],
  });
  await using serve = startServe(files.schema, "--seed", files.seeds, "--port", "0");
  const url = await serve.url();
  match(
    serve.output,
    /^Serving \S+schema.graphql at http:\/\/127.0.0.1:\d+\/: 1 people, 1 posts\n$/,
  );
  deepStrictEqual(await ask(url, "{ people { name posts { title author { name } } } }"), {
    data: { people: [{ name: "Ada", posts: [{ title: "One", author: { name: "Ada" } }] }] },
  });

  const client = createClient({ url, retryAttempts: 0 });
  const results = client.iterate({ query: "subscription { postCreated { title } }" });
  const first = results.next();
  const create = `mutation { createPost(input: { title: "Two", authorId: 1 }) { id } }`;
  let isTold = false;
  const told = first.then(() => isTold = true);
  for (let id = 3; !isTold; id++) {
    deepStrictEqual(await ask(url, create), { data: { createPost: { id: String(id) } } });
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  deepStrictEqual((await first).value, { data: { postCreated: { title: "Two" } } });
  client.dispose();

  await using socket = await openSocket(url.replace("http", "ws"), "graphql-transport-ws");
  const subscription = { query: "subscription { postCreated { title } }" };
  socket.send({ type: "connection_init" });
  await socket.next();
  socket.send({ id: "1", type: "subscribe", payload: subscription });
  socket.send({ id: "2", type: "subscribe", payload: { query: create } });
  const types = [];
  for (let read = 0; read < 3; read++) types.push(JSON.stringify(await socket.next()));
  ok(types.includes('{"id":"1","type":"next","payload":{"data":{"postCreated":{"title":"Two"}}}}'));

  const page = await fetch(url, { headers: { Accept: "text/html" } });
  match(await page.text(), /<title>GraphiQL<\/title>/);
});

Deno.test("serve generates records if it has no seeds, the same ones each time", async () => {
  await using files = await folder(SCHEMA);
  const query = "{ people { id name posts { title } } }";
  const answers = await Promise.all([1, 2].map(async () => {
    await using serve = startServe(files.schema, "--port=0");
    return await ask(await serve.url(), query);
  }));
  deepStrictEqual(answers[0], answers[1]);
  match(
    JSON.stringify(answers[0]),
    /^{"data":{"people":\[({"id":"\d","name":"[A-Z].*?},?){5}\]}}$/,
  );
});

Deno.test("serve reads changed files again, and keeps the last valid ones", async () => {
  await using files = await folder(SCHEMA, { people: [{ name: "Ada" }] });
  await using serve = startServe(files.schema, "--seed", files.seeds, "--port", "0");
  const url = await serve.url();
  const people = "{ people { name } }";

  await Deno.writeTextFile(files.seeds, `{ "people": [{ "name": "Eve" }] }`);
  await serve.until(/Read again: 1 people, 0 posts/);
  deepStrictEqual(await ask(url, people), { data: { people: [{ name: "Eve" }] } });

  const query = encodeURIComponent("subscription { postCreated { id } }");
  const open = await fetch(`${url}?query=${query}`, {
    headers: { Accept: "text/event-stream" },
    signal: AbortSignal.timeout(120_000),
  });
  await using socket = await openSocket(url.replace("http", "ws"), "graphql-ws");
  socket.send({ type: "connection_init" });

  let printed = serve.output.length;
  await Deno.writeTextFile(files.seeds, `{ "people": [{ "nam": "Eve" }] }`);
  const [text] = await serve.until(/.*nam.*\n.*\n/, printed);
  strictEqual(
    text,
    `${files.seeds}: people[0].nam: Cannot use it: Person has no field "nam"; did you mean "name"\n` +
      "The last valid version keeps running\n",
  );
  deepStrictEqual(await ask(url, people), { data: { people: [{ name: "Eve" }] } });

  printed = serve.output.length;
  await Deno.writeTextFile(`${files.seeds}.new`, `{ "Person": [{ "name": "Max" }] }`);
  await Deno.rename(`${files.seeds}.new`, files.seeds);
  await serve.until(/Read again/, printed);
  await untilAnswer(url, people, { data: { people: [{ name: "Max" }] } });
  printed = serve.output.length;
  await Deno.writeTextFile(files.seeds, `{ "Person": [{ "name": "Zoe" }] }`);
  await serve.until(/Read again/, printed);
  await untilAnswer(url, people, { data: { people: [{ name: "Zoe" }] } });
  await rejects(open.text(), { name: "TypeError" }); // without `complete`, so that clients come back
  strictEqual((await socket.closed).code, 1001);

  printed = serve.output.length;
  await Deno.writeTextFile(files.schema, "type Query {\n  people Int\n}");
  await serve.until(/schema.graphql:2:10: Syntax Error: Expected ":", found Name "Int"/, printed);
  printed = serve.output.length;
  const sized = SCHEMA.replace("type Query {", "type Query { size: Int");
  await Deno.writeTextFile(files.schema, sized);
  await serve.until(/Read again/, printed);
  const fields = ["size", "people", "posts"].map((name) => ({ name }));
  const typed = `{ __type(name: "Query") { fields { name } } }`;
  await untilAnswer(url, typed, { data: { __type: { fields } } });
});

Deno.test("clients subscribe again when serve has read its files again", async () => {
  await using files = await folder(SCHEMA, { people: [{ name: "Ada" }] });
  await using serve = startServe(files.schema, "--seed", files.seeds, "--port", "0");
  const url = await serve.url();
  const query = "subscription { postCreated { title } }";
  const create = `mutation { createPost(input: { title: "Two", authorId: 1 }) { id } }`;
  for (const singleConnection of [false, true]) {
    const connections = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let count = 0;
    const client = createClient({
      url,
      singleConnection,
      retryAttempts: 20,
      retry: () => Promise.resolve(),
      on: { connected: () => connections[count++]?.resolve() },
    });
    const results = client.iterate({ query });
    const first = results.next();
    await connections[0]?.promise;
    const printed = serve.output.length;
    await Deno.writeTextFile(files.schema, `${SCHEMA}\n# ${singleConnection}`);
    await serve.until(/Read again/, printed);
    await connections[1]?.promise;
    let isTold = false;
    const told = first.then(() => isTold = true);
    while (!isTold) {
      await ask(url, create);
      await Promise.race([told, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    deepStrictEqual((await first).value, { data: { postCreated: { title: "Two" } } });
    client.dispose();
    strictEqual(serve.output.includes("StreamBreak"), false, serve.output);
  }
});

Deno.test("serve reads a file again that it found through a link", async () => {
  await using elsewhere = await folder(SCHEMA, { people: [{ name: "Ada" }] });
  await using files = await folder(SCHEMA);
  await Deno.symlink(elsewhere.seeds, files.seeds);
  await using serve = startServe(files.schema, "--seed", files.seeds, "--port", "0");
  const url = await serve.url();
  await Deno.writeTextFile(elsewhere.seeds, `{ "people": [{ "name": "Eve" }] }`);
  await serve.until(/Read again/);
  deepStrictEqual(await ask(url, "{ people { name } }"), { data: { people: [{ name: "Eve" }] } });
});

Deno.test("serve ends at once on a signal, even with an open subscription", async () => {
  await using files = await folder(SCHEMA);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    await using serve = startServe(files.schema, "--port", "0");
    const query = encodeURIComponent("subscription { postCreated { id } }");
    const answer = await fetch(`${await serve.url()}?query=${query}`, {
      headers: { Accept: "text/event-stream" },
    });
    const read = answer.text().catch(() => {});
    const started = performance.now();
    serve.kill(signal);
    strictEqual((await serve.status).code, 0);
    const took = performance.now() - started;
    ok(took < 30_000, `it took ${took} ms`);
    await read;
  }
});

Deno.test("serve reports what is wrong at the start, and exits", async () => {
  await using files = await folder("type Query {\n  a: Foo\n}", { people: 1 });
  await using good = await folder(SCHEMA, { people: 1 });
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const utf16 = `${good.schema}.utf16`;
  await Deno.writeFile(utf16, Uint8Array.of(0xff, 0xfe, 0x74, 0));
  const cases: [string[], string | RegExp][] = [
    [[files.schema], `${files.schema}:2:6: Unknown type "Foo".\n`],
    [
      [good.schema, "--seed", good.seeds],
      `${good.seeds}: people: Cannot use it: it must be a list of records\n`,
    ],
    [[utf16], `${utf16}: Cannot read the file: it is not UTF-8\n`],
    [["nowhere.graphql"], /^nowhere.graphql: Cannot read the file: .*No such file/],
    [[], "Cannot serve: name the file with the GraphQL schema, or see --help\n"],
    [["a", "--watch"], /^Cannot use the option "--watch": there are --seed, --count, --port/],
    [
      [good.schema, "--port", String(taken.addr.port)],
      /^Cannot listen on 127.0.0.1:\d+: .*in use/i,
    ],
  ];
  // In a run of every day, some: each starts the program.
  const some = cases.filter((_, index) => isWholeRun || index % 2 === 0);
  await Promise.all(some.map(async ([args, expected]) => {
    await using serve = startServe(...args);
    strictEqual((await serve.status).code, 1, serve.output);
    if (typeof expected === "string") strictEqual(serve.output, expected);
    else match(serve.output, expected);
  }));
});

Deno.test("serve --help prints how it is used", async () => {
  await using serve = startServe("--help");
  strictEqual((await serve.status).code, 0);
  match(serve.output, /^Serves a GraphQL mock[\s\S]+--seed <file>[\s\S]+--port[\s\S]+--host/);
});

Deno.test("serve generates the plain values of the query type, even with seeds", async () => {
  const schema = SCHEMA.replace("type Query {", "type Query { version: String!, scores: [Int!]!");
  await using files = await folder(schema, {});
  await using serve = startServe(files.schema, "--seed", files.seeds, "--port", "0");
  const answer = JSON.stringify(await ask(await serve.url(), "{ version scores people { id } }"));
  match(answer, /^{"data":{"version":"\d\.\d\.\d","scores":\[\d(,\d)+\],"people":\[\]}}$/);
});

Deno.test("serve reads files that start with a byte order mark", async () => {
  await using files = await folder(`\uFEFF${SCHEMA.replaceAll("\n", "\r\n")}`, {});
  await Deno.writeTextFile(files.seeds, '\uFEFF{ "people": [{ "name": "Ada" }] }');
  await using serve = startServe(files.schema, "--seed", files.seeds, "--port", "0");
  deepStrictEqual(await ask(await serve.url(), "{ people { name } }"), {
    data: { people: [{ name: "Ada" }] },
  });
});

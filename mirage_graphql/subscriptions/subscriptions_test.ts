import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import type { Server } from "miragejs";
import { parseMockSchema } from "../orm/mock_schema.ts";
import { watchTables } from "../orm/watched_tables.ts";
import {
  createFetchInterceptor,
  createGraphQLSubscriptions,
  mockGraphQLFieldResolver,
  type ResultStream,
  type SubscriptionsOptions,
} from "../mod.ts";
import { createSeedServer } from "../testing/seed_server.ts";

const graphQLSchema = `
  enum Mood { GLAD SAD }
  interface Node { id: ID! }
  type Person implements Node { id: ID!, name: String!, mood: Mood, posts: [Post!]! }
  type Post implements Node { id: ID!, title: String, author: Person }
  type HTTPLog { id: ID!, line: String }
  type PersonPayload { person: Person }
  type Tally { count: Int }
  type Query { people: [Person!]!, posts: [Post!]!, logs: [HTTPLog!]! }
  type Subscription {
    personCreated(name: String, mood: Mood): Person
    personUpdated(id: ID): Person!
    personDeleted: ID
    onPersonDeleted: Person
    postAdded(authorId: ID, author: ID): Post
    on_post_changed: Post
    removedPost(id: ID!): Post
    onCreatePerson: PersonPayload!
    httpLogCreated: HTTPLog
    nodeCreated: Node
    onCreateNode(id: [ID!]): Node
    personAdded(minimum: Int): Person
    ticks: Int
    tally: Tally
    people: [Person!]
    spoken(word: String): Person
    shouted: String
  }
`;

/** A real Mirage server, what is subscribed to, and what is left of it. */
function start(options: SubscriptionsOptions = {}) {
  const server = createSeedServer();
  const { subscribe } = createGraphQLSubscriptions(graphQLSchema, server.schema, options);
  const tables = watchTables(parseMockSchema(server.schema).db);
  return {
    server,
    schema: server.schema,
    tables,
    subscribe: (query: string, variables?: Record<string, unknown>, signal?: AbortSignal) =>
      subscribe({ query: `subscription ${query}`, variables }, { signal }),
  };
}

interface Listed {
  readonly name: string;
  readonly posts: { readonly length: number };
}

/** A microtask queue that has run dry. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** All results that are there by now; the subscription is ended. */
async function resultsOf(stream: ResultStream): Promise<unknown[]> {
  const results: unknown[] = [];
  const reading = (async () => {
    for await (const { data, errors } of stream) {
      results.push(errors === undefined ? data : errors.map(({ message }) => message));
    }
  })();
  await settled();
  await stream.return();
  await reading;
  return JSON.parse(JSON.stringify(results));
}

Deno.test("subscribe() tells of records made by the ORM, a factory and the database", async () => {
  const { server, schema, subscribe } = start();
  const stream = subscribe("{ personCreated { id name } }");
  server.create("person", { name: "Ada" });
  schema.create("person", { name: "Zoe" });
  schema.db.people?.insert([{ name: "Max" }, { name: "Eve" }]);
  deepStrictEqual(await resultsOf(stream), [
    { personCreated: { id: "1", name: "Ada" } },
    { personCreated: { id: "2", name: "Zoe" } },
    { personCreated: { id: "3", name: "Max" } },
    { personCreated: { id: "4", name: "Eve" } },
  ]);
});

Deno.test("subscribe() tells of updates and deletes, a deleted record as it was", async () => {
  const { server, schema, subscribe } = start();
  const ada = server.create("person", { name: "Ada" });
  const eve = server.create("person", { name: "Eve" });
  await settled();
  const updated = subscribe("{ personUpdated { id name } }");
  const deletedId = subscribe("{ personDeleted }");
  const deleted = subscribe("{ onPersonDeleted { id name } }");
  ada.update("name", "Ada L.");
  eve.destroy();
  deepStrictEqual(await resultsOf(updated), [{ personUpdated: { id: "1", name: "Ada L." } }]);
  deepStrictEqual(await resultsOf(deletedId), [{ personDeleted: "2" }]);
  deepStrictEqual(await resultsOf(deleted), [{ onPersonDeleted: { id: "2", name: "Eve" } }]);
  strictEqual(schema.db.people?.length, 1);
});

Deno.test("subscribe() tells of one synchronous piece of code as one event of each record", async () => {
  const { server, subscribe } = start();
  const old = server.create("person", { name: "Old" });
  await settled();
  const created = subscribe("{ personCreated { name } }");
  const updated = subscribe("{ personUpdated { name } }");
  const deleted = subscribe("{ personDeleted }");
  server.create("person", { name: "Ada" }).update("name", "Ada L.");
  server.create("person", { name: "Brief" }).destroy();
  old.update("name", "Older");
  old.update("name", "Oldest");
  await settled();
  old.update("name", "Gone soon");
  old.destroy();
  deepStrictEqual(await resultsOf(created), [{ personCreated: { name: "Ada L." } }]);
  deepStrictEqual(await resultsOf(updated), [{ personUpdated: { name: "Oldest" } }]);
  deepStrictEqual(await resultsOf(deleted), [{ personDeleted: "1" }]);
});

Deno.test("subscribe() tells of nothing that stays as it was, though Mirage writes it", async () => {
  const { server, schema, subscribe } = start();
  const author = server.create("person", { name: "Ada" });
  const post = server.create("post", { title: "One", author });
  await settled();
  const people = subscribe("{ personUpdated { id } }");
  const posts = subscribe("{ on_post_changed { title } }");
  post.update("title", "Two");
  schema.db.posts?.update(1, { title: "Two" });
  await settled();
  schema.db.posts?.update(1, { title: "Three" });
  schema.db.posts?.update(1, { title: "Two" });
  deepStrictEqual(await resultsOf(people), []);
  deepStrictEqual(await resultsOf(posts), [{ on_post_changed: { title: "Two" } }]);
});

Deno.test("subscribe() tells of lists that Mirage changes in place", async () => {
  const { server, subscribe } = start();
  const author = server.create("person", { name: "Ada" });
  const post = server.create("post", { title: "One", author });
  await settled();
  const people = subscribe("{ personUpdated { posts { title } } }");
  post.destroy();
  deepStrictEqual(await resultsOf(people), [{ personUpdated: { posts: [] } }]);
});

Deno.test("subscribe() has both sides of a relation", async () => {
  const { server, subscribe } = start();
  const stream = subscribe("{ postAdded { title author { name posts { title } } } }");
  const author = server.create("person", { name: "Ada" });
  server.create("post", { title: "One", author });
  server.create("post", { title: "Two", author });
  const posts = [{ title: "One" }, { title: "Two" }];
  deepStrictEqual(await resultsOf(stream), [
    { postAdded: { title: "One", author: { name: "Ada", posts } } },
    { postAdded: { title: "Two", author: { name: "Ada", posts } } },
  ]);
});

Deno.test("subscribe() hears of a REST route's writes", async () => {
  using interceptor = createFetchInterceptor();
  const server = createSeedServer({
    ...interceptor,
    routes(this: Server) {
      this.post("/people", (_schema, { requestBody }) => {
        return server.create("person", JSON.parse(requestBody)).attrs;
      });
    },
  });
  const { subscribe } = createGraphQLSubscriptions(graphQLSchema, server.schema);
  const stream = subscribe({ query: "subscription { personCreated { name } }" });
  const init = { method: "POST", body: `{ "name": "Rest" }` };
  await (await fetch("http://localhost/people", init)).body?.cancel();
  deepStrictEqual(await resultsOf(stream), [{ personCreated: { name: "Rest" } }]);
});

Deno.test("subscribe() filters by the field's arguments as queries do", async () => {
  const { server, subscribe } = start();
  const [ada, eve] = server.createList("person", 2, { name: "Ada" });
  await settled();
  const cases: [string, unknown[]][] = [
    [`{ personCreated(name: "Zoe") { name } }`, [{ personCreated: { name: "Zoe" } }]],
    [`{ personCreated(mood: GLAD) { mood } }`, [{ personCreated: { mood: "GLAD" } }]],
    [`{ personUpdated(id: 1) { id } }`, [{ personUpdated: { id: "1" } }]],
    [`{ postAdded(authorId: 2) { id } }`, [{ postAdded: { id: "2" } }]],
    [`{ postAdded(author: "1") { id } }`, [{ postAdded: { id: "1" } }]],
    [`{ postAdded(author: null) { id } }`, [{ postAdded: { id: "1" } }, {
      postAdded: { id: "2" },
    }]],
    [`{ onCreateNode(id: ["2", "4"]) { id } }`, [
      { onCreateNode: { id: "4" } },
      { onCreateNode: { id: "2" } },
    ]],
  ];
  const streams = cases.map(([query]) => subscribe(query));
  server.create("person", { name: "Zoe" });
  server.create("person", { name: "Max", mood: "GLAD" });
  server.create("post", { author: ada });
  server.create("post", { author: eve });
  for (const [index, [query, expected]] of cases.entries()) {
    deepStrictEqual(await resultsOf(streams[index]!), expected, query);
  }
});

Deno.test("subscribe() takes variables, an alias, a payload, an interface and any casing", async () => {
  const { server, subscribe } = start();
  const cases: [ResultStream, unknown[]][] = [
    [subscribe("($name: String) { made: personCreated(name: $name) { name } }", { name: "Ada" }), [
      { made: { name: "Ada" } },
    ]],
    [subscribe("{ onCreatePerson { person { name posts { id } } } }"), [
      { onCreatePerson: { person: { name: "Ada", posts: [] } } },
    ]],
    [subscribe("{ nodeCreated { __typename id ... on Post { title } } }"), [
      { nodeCreated: { __typename: "Person", id: "1" } },
      { nodeCreated: { __typename: "Post", id: "1", title: "One" } },
    ]],
    [subscribe("{ httpLogCreated { __typename line } }"), [
      { httpLogCreated: { __typename: "HTTPLog", line: "GET /" } },
    ]],
  ];
  server.create("person", { name: "Ada" });
  server.create("post", { title: "One" });
  server.schema.create("httpLog", { line: "GET /" });
  for (const [stream, expected] of cases) deepStrictEqual(await resultsOf(stream), expected);
});

Deno.test("subscribe() answers what it refuses with errors that say why", async () => {
  const { server, subscribe, tables } = start();
  server.create("person", { name: "Ada" });
  const cases: [string, RegExp][] = [
    ["{ personCreated { nme } }", /Cannot query field "nme" on type "Person"/],
    ["{", /Syntax Error/],
    ["{ ticks }", /^Cannot subscribe to "Subscription.ticks": its name tells of nothing that is/],
    ["{ ticks }", /\{ Subscription: \{ ticks: \{ subscribe\(obj, args, context, info\) \{/],
    ["{ people { id } }", /^Cannot subscribe to "Subscription.people": it returns a list/],
    [`{ spoken { id } }`, /its name tells of nothing/],
    [
      "{ personAdded(minimum: 3) { id } }",
      /^Cannot filter Subscription.personAdded by the argument "minimum": Person has no such attribute/,
    ],
    ["($id: ID!) { removedPost(id: $id) { id } }", /Variable "\$id" .*non-null|required/],
  ];
  for (const [query, expected] of cases) {
    const [first, ...more] = await resultsOf(subscribe(query)) as string[][];
    match(first?.[0] ?? "", expected, query);
    deepStrictEqual(more, [], query);
  }
  strictEqual(tables.listeners, 0);
});

Deno.test("subscribe() refuses queries and mutations", async () => {
  const { schema } = start();
  const { subscribe } = createGraphQLSubscriptions(graphQLSchema, schema);
  const { value } = await subscribe({ query: "{ people { id } }" }).next();
  strictEqual(
    value?.errors?.[0]?.message,
    "Cannot subscribe: the operation is a query, send it to the handler",
  );
});

Deno.test("subscribe() releases its listener by return(), break, dispose and the signal", async () => {
  const { server, subscribe, tables } = start();
  const controller = new AbortController();
  const query = "{ personCreated { id } }";
  const returned = subscribe(query);
  const waiting = returned.next();
  const aborted = subscribe(query, {}, controller.signal);
  const abortedWaiting = aborted.next();

  await returned.return();
  strictEqual((await waiting).done, true);
  strictEqual(tables.listeners, 1);
  controller.abort();
  strictEqual((await abortedWaiting).done, true);
  await settled();
  strictEqual(tables.listeners, 0);
  strictEqual((await subscribe(query, {}, controller.signal).next()).done, true);
  {
    await using disposed = subscribe(query);
    server.create("person", { name: "Ada" });
    for await (const _ of disposed) break;
    strictEqual((await disposed.next()).done, true);
    await using _unread = subscribe(query);
    strictEqual(tables.listeners, 1);
  }
  await settled();
  strictEqual(tables.listeners, 0);
});

Deno.test("subscribe() tells each subscriber only of what was written since it started", async () => {
  const { server, subscribe } = start();
  const first = subscribe("{ personCreated { name } }");
  server.create("person", { name: "Ada" });
  const second = subscribe("{ personCreated { name } }");
  server.create("person", { name: "Zoe" });
  const [ada, zoe] = ["Ada", "Zoe"].map((name) => ({ personCreated: { name } }));
  deepStrictEqual(await resultsOf(first), [ada, zoe]);
  deepStrictEqual(await resultsOf(second), [zoe]);
});

Deno.test("subscribe() goes on after an event that fails", async () => {
  const { server, subscribe } = start({
    resolvers: {
      Person: {
        mood({ name }) {
          if (name === "Bad") throw new Error("Cannot tell the mood");
          return "GLAD";
        },
      },
    },
  });
  const stream = subscribe("{ personCreated { name mood } }");
  server.create("person", { name: "Bad" });
  server.create("person", { name: "Good" });
  deepStrictEqual(await resultsOf(stream), [
    ["Cannot tell the mood"],
    { personCreated: { name: "Good", mood: "GLAD" } },
  ]);
});

Deno.test("subscribe() rejects for a reader that stays 10,000 events behind, and releases it", async () => {
  const { schema, subscribe, tables } = start();
  const stream = subscribe("{ personCreated { name } }");
  schema.db.people?.insert(Array.from({ length: 10_001 }, () => ({ name: "Ada" })));
  await settled();
  strictEqual(tables.listeners, 0);
  await rejects(stream.next(), {
    name: "RangeError",
    message:
      'Cannot keep more than 10000 events of "Subscription.personCreated": nobody reads them',
  });
  strictEqual((await stream.next()).done, true);
});

Deno.test("subscribe() asks the host's subscribe and resolve", async () => {
  const { subscribe } = start({
    context: { step: 2 },
    root: { start: 1 },
    resolvers: {
      Subscription: {
        ticks: {
          async *subscribe(
            { start }: { start: number },
            _args: unknown,
            { step }: { step: number },
          ) {
            for (let tick = start; tick < 6; tick += step) yield await Promise.resolve({ tick });
          },
          resolve: ({ tick }: { tick: number }) => tick,
        },
        tally: {
          subscribe: () => [1, 2].map((count) => ({ tally: { count } })).values(),
        },
      },
    },
  });
  deepStrictEqual(await resultsOf(subscribe("{ ticks }")), [
    { ticks: 1 },
    { ticks: 3 },
    { ticks: 5 },
  ]);
  deepStrictEqual(await resultsOf(subscribe("{ tally { count } }")), [
    { tally: { count: 1 } },
    { tally: { count: 2 } },
  ]);
});

Deno.test("subscribe() shows events to the host's resolve as Mirage's models", async () => {
  const { server, subscribe } = start({
    resolvers: {
      Subscription: {
        personCreated: ({ personCreated }) => personCreated,
        onCreatePerson: {
          resolve: ({ onCreatePerson: { person } }: { onCreatePerson: { person: Listed } }) => ({
            person: { name: `${person.name} of ${person.posts.length}` },
          }),
        },
        postAdded: {
          resolve({ postAdded }: { postAdded: { title: string; author: { name: string } } }) {
            return { title: `${postAdded.title} by ${postAdded.author.name}` };
          },
        },
        personAdded: {
          subscribe(
            obj: unknown,
            { minimum: _, ...args }: Record<string, unknown>,
            context: unknown,
            info: never,
          ) {
            return mockGraphQLFieldResolver(obj, args, context, info);
          },
        },
      },
    },
  });
  const people = subscribe("{ personCreated { name posts { title } } }");
  const posts = subscribe("{ postAdded { title } }");
  const payloads = subscribe("{ onCreatePerson { person { name } } }");
  const added = subscribe("{ personAdded(minimum: 3) { name posts { title } } }");
  const author = server.create("person", { name: "Ada" });
  server.create("post", { title: "One", author });
  const ada = { name: "Ada", posts: [{ title: "One" }] };
  deepStrictEqual(await resultsOf(people), [{ personCreated: ada }]);
  deepStrictEqual(await resultsOf(posts), [{ postAdded: { title: "One by Ada" } }]);
  deepStrictEqual(await resultsOf(payloads), [
    { onCreatePerson: { person: { name: "Ada of 1" } } },
  ]);
  deepStrictEqual(await resultsOf(added), [{ personAdded: ada }]);
});

Deno.test("subscribe() ends also where the host's source waits for ever", async () => {
  const released = Promise.withResolvers<void>();
  const { subscribe } = start({
    resolvers: {
      Subscription: {
        ticks: {
          subscribe: () => ({
            next: () => new Promise<never>(() => {}),
            return() {
              released.resolve();
              return new Promise<never>(() => {});
            },
          }),
        },
      },
    },
  });
  const stream = subscribe("{ ticks }");
  const next = stream.next();
  await settled();
  await stream.return();
  strictEqual((await next).done, true);
  await released.promise;
});

Deno.test("subscribe() ends also while the context is made, and releases what comes of it", async () => {
  const context = Promise.withResolvers<object>();
  const { subscribe, tables } = start({ context: () => context.promise });
  const stream = subscribe("{ personCreated { id } }");
  const next = stream.next();
  await settled();
  await stream.return();
  strictEqual((await next).done, true);
  context.resolve({});
  await settled();
  strictEqual(tables.listeners, 0);
});

Deno.test("subscribe() rejects where the context can't be made", async () => {
  const refuse = () => {
    throw new Error("Cannot log in");
  };
  for (const context of [refuse, () => Promise.resolve().then(refuse)]) {
    const { subscribe } = start({ context });
    const stream = subscribe("{ personCreated { id } }");
    await rejects(stream.next(), /^Error: Cannot log in$/);
    strictEqual((await stream.next()).done, true);
  }
});

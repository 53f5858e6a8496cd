import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Server } from "miragejs";
import { createFetchInterceptor, createGraphQLSubscriptions, type ResultStream } from "../mod.ts";
import { createSeedServer } from "../testing/seed_server.ts";
import {
  graphQLSchema,
  resultsOf,
  settled,
  startSubscriptions,
} from "../testing/subscription_server.ts";

Deno.test("subscribe() reports records created by the ORM, a factory and the database", async () => {
  const { server, schema, subscribe } = startSubscriptions();
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

Deno.test("subscribe() reports updates and deletions, with a deleted record as it was", async () => {
  const { server, schema, subscribe } = startSubscriptions();
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

Deno.test("subscribe() reports the writes of one synchronous block as one event per record", async () => {
  const { server, subscribe } = startSubscriptions();
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

Deno.test("subscribe() reports nothing for an unchanged record that Mirage writes", async () => {
  const { server, schema, subscribe } = startSubscriptions();
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

Deno.test("subscribe() reports lists that Mirage changes in place", async () => {
  const { server, subscribe } = startSubscriptions();
  const author = server.create("person", { name: "Ada" });
  const post = server.create("post", { title: "One", author });
  await settled();
  const people = subscribe("{ personUpdated { posts { title } } }");
  post.destroy();
  deepStrictEqual(await resultsOf(people), [{ personUpdated: { posts: [] } }]);
});

Deno.test("subscribe() reports both sides of a relation", async () => {
  const { server, subscribe } = startSubscriptions();
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

Deno.test("subscribe() reports a REST route's writes", async () => {
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

Deno.test("subscribe() filters by the field's arguments like queries", async () => {
  const { server, subscribe } = startSubscriptions();
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

Deno.test("subscribe() accepts variables, an alias, a payload, an interface and any casing", async () => {
  const { server, subscribe } = startSubscriptions();
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

Deno.test("subscribe() continues after an event that fails", async () => {
  const { server, subscribe } = startSubscriptions({
    resolvers: {
      Person: {
        mood({ name }) {
          if (name === "Bad") throw new Error("Cannot read the mood");
          return "GLAD";
        },
      },
    },
  });
  const stream = subscribe("{ personCreated { name mood } }");
  server.create("person", { name: "Bad" });
  server.create("person", { name: "Good" });
  deepStrictEqual(await resultsOf(stream), [
    ["Cannot read the mood"],
    { personCreated: { name: "Good", mood: "GLAD" } },
  ]);
});

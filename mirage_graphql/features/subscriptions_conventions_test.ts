import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { createServer } from "miragejs";
import { changesOf, createGraphQLSubscriptions, type SubscriptionsOptions } from "../mod.ts";
import { parseMockSchema } from "../orm/mirage/mirage_schema.ts";
import { trackWrites } from "../orm/records/table_writes.ts";
import { resultsOf, settled } from "../testing/subscription_server.ts";
import { withAsyncWarnings } from "../testing/warnings.ts";

const SCHEMA = `
  type User { id: ID! name: String! }
  type Link { id: ID! url: String! postedBy: User votes: [Vote!]! }
  type Vote { id: ID! link: Link! }
  type Todo { id: ID! text: String! is_public: Boolean }
  input BoolExp { _eq: Boolean }
  input TodoWhere { is_public: BoolExp }
  input TodoOrder { text: Direction }
  enum Direction { asc desc }
  type Query {
    links: [Link!]! todos(where: TodoWhere, order_by: TodoOrder, limit: Int): [Todo!]! online: Int
  }
  type Subscription {
    newLink: Link
    newVote: Vote
    todos(where: TodoWhere, order_by: TodoOrder, limit: Int): [Todo!]!
    online: Int
    scanCompleteSubscribe: Boolean!
    arrivals(host: String): Link
  }
`;

function start(options: SubscriptionsOptions = { conventions: "common" }) {
  const { schema, db } = createServer({ environment: "test" });
  const { subscribe } = createGraphQLSubscriptions(SCHEMA, schema, options);
  const tables = trackWrites(parseMockSchema(schema).db);
  return {
    db,
    tables,
    subscribe: (query: string) => subscribe({ query: `subscription ${query}` }),
  };
}

Deno.test("newLink and newVote report created records, by convention", async () => {
  const { db, subscribe } = start();
  const [links, votes] = [
    subscribe("{ newLink { url } }"),
    subscribe("{ newVote { link { url } } }"),
  ];
  db.loadData({ links: [{ id: "1", url: "/1" }], votes: [{ id: "1", linkId: "1" }] });
  deepStrictEqual(await resultsOf(links), [{ newLink: { url: "/1" } }]);
  deepStrictEqual(await resultsOf(votes), [{ newVote: { link: { url: "/1" } } }]);
});

Deno.test("newLink is no name without conventions", async () => {
  const { subscribe } = start({});
  const [[message = ""]] = await resultsOf(subscribe("{ newLink { url } }")) as [string[]];
  match(
    message,
    /^Cannot subscribe to "Subscription.newLink": its name says nothing about records/,
  );
});

Deno.test("a subscription that Query has too answers now, and after each block of writes", async () => {
  const { db, subscribe } = start();
  db.loadData({ todos: [{ id: "1", text: "b", is_public: true }] });
  await settled();
  const stream = subscribe(
    "{ todos(where: { is_public: { _eq: true } }, order_by: { text: asc }) { text } }",
  );
  const next = async () => JSON.parse(JSON.stringify((await stream.next()).value?.data));
  deepStrictEqual(await next(), { todos: [{ text: "b" }] });
  db.todos?.insert([{ text: "a", is_public: true }, { text: "c", is_public: false }]);
  deepStrictEqual(await next(), { todos: [{ text: "a" }, { text: "b" }] });
  db.todos?.remove("1");
  deepStrictEqual(await next(), { todos: [{ text: "a" }] });
  db.todos?.update({ is_public: true }, { text: "A" });
  await settled();
  db.todos?.insert({ text: "d", is_public: true });
  deepStrictEqual(await next(), { todos: [{ text: "A" }, { text: "d" }] });
  deepStrictEqual(await resultsOf(stream), []);
});

Deno.test("a live query calls the resolver of its query, and stops listening when it ends", async () => {
  let count = 0;
  const { db, subscribe, tables } = start({
    conventions: "common",
    resolvers: { Query: { online: () => ++count } },
  });
  const stream = subscribe("{ online }");
  strictEqual((await stream.next()).value?.data?.online, 1);
  db.loadData({ users: [{ name: "Ada" }] });
  strictEqual((await stream.next()).value?.data?.online, 2);
  strictEqual(tables.listeners, 1);
  await stream.return();
  strictEqual(tables.listeners, 0);
  db.users?.insert({ name: "Zoe" });
  await settled();
  strictEqual(count, 2);
});

Deno.test("an unknown subscription stays open and silent with unknown arguments ignored", async () => {
  const { db, subscribe } = start({ conventions: "common", unknownArguments: "ignore" });
  const { value, warnings } = await withAsyncWarnings(async () => {
    const streams = [
      subscribe("{ scanCompleteSubscribe }"),
      subscribe("{ scanCompleteSubscribe }"),
    ];
    db.loadData({ users: [{ name: "Ada" }] });
    await settled();
    return [await resultsOf(streams[0]!), await resultsOf(streams[1]!)];
  });
  deepStrictEqual(value, [[], []]);
  strictEqual(warnings.length, 1);
  match(
    warnings[0] ?? "",
    /^Cannot subscribe to "Subscription.scanCompleteSubscribe": .*It stays open without events$/,
  );
  const strict = start();
  const [[message = ""]] = await resultsOf(strict.subscribe("{ scanCompleteSubscribe }")) as [
    string[],
  ];
  match(message, /^Cannot subscribe to "Subscription.scanCompleteSubscribe"/);
});

Deno.test("changesOf() is the resolver of a subscription that is named otherwise", async () => {
  const { db, subscribe } = start({
    resolvers: {
      Subscription: {
        arrivals: changesOf(
          "link",
          "created",
          ({ url }, { host }) => host === undefined || String(url).startsWith(`//${host}`),
        ),
      },
    },
  });
  const all = subscribe("{ arrivals { url postedBy { name } } }");
  const some = subscribe(`{ arrivals(host: "b") { url } }`);
  db.loadData({
    users: [{ id: "1", name: "Ada" }],
    links: [{ id: "1", url: "//a/1", postedById: "1" }, {
      id: "2",
      url: "//b/2",
      postedById: null,
    }],
  });
  deepStrictEqual(await resultsOf(all), [
    { arrivals: { url: "//a/1", postedBy: { name: "Ada" } } },
    { arrivals: { url: "//b/2", postedBy: null } },
  ]);
  deepStrictEqual(await resultsOf(some), [{ arrivals: { url: "//b/2" } }]);
});

Deno.test("changesOf() names what it can't report", async () => {
  throws(() => changesOf("link", "liked" as never), {
    name: "TypeError",
    message:
      'Cannot report changes "liked" of "link": the changes are "created", "updated", "deleted"',
  });
  const { subscribe } = start({
    resolvers: { Subscription: { arrivals: changesOf("lnk", "created") } },
  });
  deepStrictEqual(await resultsOf(subscribe("{ arrivals { url } }")), [
    ['Cannot report changes of "lnk": the models are user, link, vote, todo'],
  ]);
});

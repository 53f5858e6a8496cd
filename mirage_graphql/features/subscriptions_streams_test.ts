import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { createGraphQLSubscriptions } from "../mod.ts";
import {
  graphQLSchema,
  resultsOf,
  settled,
  startSubscriptions,
} from "../testing/subscription_server.ts";

Deno.test("subscribe() rejects with errors that give the reason", async () => {
  const { server, subscribe, tables } = startSubscriptions();
  server.create("person", { name: "Ada" });
  const cases: [string, RegExp][] = [
    ["{ personCreated { nme } }", /Cannot query field "nme" on type "Person"/],
    ["{", /Syntax Error/],
    [
      "{ ticks }",
      /^Cannot subscribe to "Subscription.ticks": its name says nothing about records that are/,
    ],
    ["{ ticks }", /\{ Subscription: \{ ticks: \{ subscribe\(obj, args, context, info\) \{/],
    ["{ people { id } }", /^Cannot subscribe to "Subscription.people": it returns a list/],
    [`{ spoken { id } }`, /its name says nothing about/],
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

Deno.test("subscribe() rejects queries and mutations", async () => {
  const { schema } = startSubscriptions();
  const { subscribe } = createGraphQLSubscriptions(graphQLSchema, schema);
  const { value } = await subscribe({ query: "{ people { id } }" }).next();
  strictEqual(
    value?.errors?.[0]?.message,
    "Cannot subscribe: the operation is a query, send it to the handler",
  );
});

Deno.test("subscribe() releases its listener on return(), break, disposal and abort", async () => {
  const { server, subscribe, tables } = startSubscriptions();
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

Deno.test("subscribe() reports to each subscriber only what was written since it started", async () => {
  const { server, subscribe } = startSubscriptions();
  const first = subscribe("{ personCreated { name } }");
  server.create("person", { name: "Ada" });
  const second = subscribe("{ personCreated { name } }");
  server.create("person", { name: "Zoe" });
  const [ada, zoe] = ["Ada", "Zoe"].map((name) => ({ personCreated: { name } }));
  deepStrictEqual(await resultsOf(first), [ada, zoe]);
  deepStrictEqual(await resultsOf(second), [zoe]);
});

Deno.test("subscribe() rejects for a reader that falls 10,000 events behind, and releases it", async () => {
  const { schema, subscribe, tables } = startSubscriptions();
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

Deno.test("subscribe() also ends if the user-defined source waits forever", async () => {
  const released = Promise.withResolvers<void>();
  const { subscribe } = startSubscriptions({
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

Deno.test("subscribe() can end while the context is created, and releases the result", async () => {
  const context = Promise.withResolvers<object>();
  const { subscribe, tables } = startSubscriptions({ context: () => context.promise });
  const stream = subscribe("{ personCreated { id } }");
  const next = stream.next();
  await settled();
  await stream.return();
  strictEqual((await next).done, true);
  context.resolve({});
  await settled();
  strictEqual(tables.listeners, 0);
});

Deno.test("subscribe() rejects if the context can't be created", async () => {
  const refuse = () => {
    throw new Error("Cannot log in");
  };
  for (const context of [refuse, () => Promise.resolve().then(refuse)]) {
    const { subscribe } = startSubscriptions({ context });
    const stream = subscribe("{ personCreated { id } }");
    await rejects(stream.next(), /^Error: Cannot log in$/);
    strictEqual((await stream.next()).done, true);
  }
});

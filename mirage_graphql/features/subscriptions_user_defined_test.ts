import { deepStrictEqual } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { resultsOf, startSubscriptions } from "../testing/subscription_server.ts";

interface Listed {
  readonly name: string;
  readonly posts: { readonly length: number };
}

Deno.test("subscribe() calls user-defined subscribe and resolve", async () => {
  const { subscribe } = startSubscriptions({
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

Deno.test("subscribe() passes events to the user-defined resolve as Mirage's models", async () => {
  const { server, subscribe } = startSubscriptions({
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

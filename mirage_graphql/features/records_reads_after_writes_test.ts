import { deepStrictEqual } from "node:assert/strict";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  type Person { id: ID! name: String posts: [Post!]! rename(to: String): String drop: Boolean add: Boolean }
  type Post { id: ID! title: String author: Person }
  type Query { people: [Person!]! person(id: ID!): Person posts: [Post!]! wipe: Boolean later: [Person!]! }
  type Mutation { addPost(title: String, author: ID): Post clear: Boolean raise(by: Int): Int }
`;

const DATA = {
  people: [{ id: "1", name: "Ada", postIds: ["1"] }, { id: "2", name: "Zoë", postIds: [] }],
  posts: [{ id: "1", title: "One", authorId: "1" }],
};

Deno.test("later fields see what a resolver has written with a model", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Person: {
        rename: ({ id }, { to }, { mockSchema }) => {
          mockSchema.people.find(id).update({ name: to });
          return to;
        },
      },
    },
  });
  deepStrictEqual(
    await data(
      `{ person(id: 1) { rename(to: "Eve") } people { name } again: person(id: 1) { name } }`,
    ),
    {
      person: { rename: "Eve" },
      people: [{ name: "Eve" }, { name: "Zoë" }],
      again: { name: "Eve" },
    },
  );
});

Deno.test("a record stays as it was read; later fields see which records a resolver has added and removed", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Person: {
        add: ({ id }, _args, { mockSchema }) => {
          mockSchema.posts.create({ title: `Of ${id}`, authorId: id });
          return true;
        },
        drop: ({ id }, _args, { mockSchema }) => {
          mockSchema.people.find(id).destroy();
          return true;
        },
      },
      Query: {
        wipe: (_obj, _args, { mockSchema }) => {
          mockSchema.db.posts.remove();
          return true;
        },
      },
    },
  });
  deepStrictEqual(
    await data(`{
      before: posts { title }
      people { id add posts { title } }
      again: people { posts { title } }
      posts { title author { name } }
      person(id: 1) { drop }
      left: people { name }
      orphans: posts { title author { name } }
      wipe
      none: posts { title }
    }`),
    {
      before: [{ title: "One" }],
      people: [
        { id: "1", add: true, posts: [{ title: "One" }] },
        { id: "2", add: true, posts: [] },
      ],
      again: [{ posts: [{ title: "One" }, { title: "Of 1" }] }, { posts: [{ title: "Of 2" }] }],
      posts: [
        { title: "One", author: { name: "Ada" } },
        { title: "Of 1", author: { name: "Ada" } },
        { title: "Of 2", author: { name: "Zoë" } },
      ],
      person: { drop: true },
      left: [{ name: "Zoë" }],
      orphans: [
        { title: "One", author: null },
        { title: "Of 1", author: null },
        { title: "Of 2", author: { name: "Zoë" } },
      ],
      wipe: true,
      none: [],
    },
  );
});

Deno.test("resolvers of mutations run one after the other, each sees the writes before it", async () => {
  let level = 0;
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Mutation: {
        addPost: async (_obj, { title, author }, { mockSchema }) => {
          await Promise.resolve();
          return mockSchema.posts.create({ title, authorId: author });
        },
        clear: (_obj, _args, { mockSchema }) => {
          mockSchema.db.posts.remove();
          return true;
        },
        raise: async (_obj, { by }: { by: number }) => {
          const before = level;
          await Promise.resolve();
          return level = before + by;
        },
      },
    },
  });
  deepStrictEqual(
    await data(`mutation {
      a: addPost(title: "A", author: 2) { id title author { name posts { title } } }
      one: raise(by: 1)
      b: addPost(title: "B", author: 2) { author { posts { title } } }
      two: raise(by: 2)
      clear
      c: addPost(title: "C", author: 1) { id author { posts { title } } }
    }`),
    {
      a: { id: "2", title: "A", author: { name: "Zoë", posts: [{ title: "A" }] } },
      one: 1,
      b: { author: { posts: [{ title: "A" }, { title: "B" }] } },
      two: 3,
      clear: true,
      c: { id: "1", author: { posts: [{ title: "C" }] } },
    },
  );
});

Deno.test("any field may have an asynchronous resolver, and they may settle in any order", async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        later: async (_obj, _args, { mockSchema }) => {
          await gates[0]?.promise;
          return mockSchema.people.all();
        },
        people: async (_obj, _args, { mockSchema }) => {
          await gates[1]?.promise;
          gates[0]?.resolve();
          return mockSchema.people.where({ name: "Zoë" });
        },
      },
      Person: { posts: async ({ posts }) => await Promise.resolve(posts) },
    },
  });
  const answer = data("{ later { name posts { title author { name } } } people { name } }");
  gates[1]?.resolve();
  deepStrictEqual(await answer, {
    later: [
      { name: "Ada", posts: [{ title: "One", author: { name: "Ada" } }] },
      { name: "Zoë", posts: [] },
    ],
    people: [{ name: "Zoë" }],
  });
});

Deno.test("concurrent requests don't affect each other", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        person: async (_obj, { id }, { mockSchema }) => {
          await Promise.resolve();
          return mockSchema.people.find(id);
        },
      },
    },
  });
  const names = await Promise.all(
    ["1", "2", "1", "2"].map(async (id) =>
      (await data("query ($id: ID!) { person(id: $id) { name } }", { id })).person.name
    ),
  );
  deepStrictEqual(names, ["Ada", "Zoë", "Ada", "Zoë"]);
});

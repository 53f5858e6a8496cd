import { deepStrictEqual } from "node:assert/strict";
import { DATA, SCHEMA } from "../testing/author_data.ts";
import { createMockServer } from "../testing/mock_server.ts";

/** A parent as a resolver returns it, and the fields that are read from it. */
interface Case {
  readonly name: string;
  // deno-lint-ignore no-explicit-any
  readonly resolve: (obj: any, args: any, context: any) => unknown;
  readonly selection: string;
  readonly expected: unknown;
}

const ALL = "id name posts { title author { name } tags { label } } pet { name } address { city }";
const ADA = {
  id: "1",
  name: "Ada",
  posts: [
    { title: "Two", author: { name: "Ada" }, tags: [] },
    { title: "One", author: { name: "Ada" }, tags: [{ label: "a" }] },
  ],
  pet: { name: "Tom" },
  address: { city: "London" },
};

const PARENTS: readonly Case[] = [
  {
    name: "a model",
    resolve: (_obj, _args, { mockSchema }) => mockSchema.people.find(1),
    selection: ALL,
    expected: ADA,
  },
  {
    name: "a promised model",
    resolve: (_obj, _args, { mockSchema }) => Promise.resolve(mockSchema.people.find(1)),
    selection: ALL,
    expected: ADA,
  },
  {
    name: "a model's attributes",
    resolve: (_obj, _args, { mockSchema }) => mockSchema.people.find(1).attrs,
    selection: ALL,
    expected: ADA,
  },
  {
    name: "a record of the database",
    resolve: (_obj, _args, { mockSchema }) => mockSchema.db.people.find(1),
    selection: ALL,
    expected: ADA,
  },
  {
    name: "an object with only the id of a record",
    resolve: () => ({ id: 1, name: "Me" }),
    selection: ALL.replace("address { city }", ""),
    expected: { id: "1", name: "Me", posts: ADA.posts, pet: ADA.pet },
  },
  {
    name: "a model with unsaved attributes",
    resolve(_obj, _args, { mockSchema }) {
      const person = mockSchema.people.find(1);
      person.name = "Countess";
      person.postIds = ["1"];
      return person;
    },
    selection: "name posts { title }",
    expected: { name: "Countess", posts: [{ title: "One" }] },
  },
  {
    name: "a model with unsaved relations",
    resolve(_obj, _args, { mockSchema }) {
      const person = mockSchema.people.find(1);
      person.posts = [mockSchema.posts.find(3), mockSchema.posts.new({ title: "New" })];
      return person;
    },
    selection: "name posts { title }",
    expected: { name: "Ada", posts: [{ title: "Three" }, { title: "New" }] },
  },
  {
    name: "a model whose related model has unsaved changes",
    resolve(_obj, _args, { mockSchema }) {
      const person = mockSchema.people.find(1);
      const post = mockSchema.posts.find(3);
      post.title = "Changed";
      person.posts = [post];
      return person;
    },
    selection: "posts { title }",
    expected: { posts: [{ title: "Changed" }] },
  },
  {
    name: "an object with foreign keys",
    resolve: () => ({ id: "9", postIds: ["3", 1], petId: { type: "cat", id: "1" } }),
    selection: "posts { title } pet { name }",
    expected: { posts: [{ title: "Three" }, { title: "One" }], pet: { name: "Tom" } },
  },
  {
    name: "an object with foreign keys and no id",
    resolve: () => ({ name: "X", postIds: ["3"] }),
    selection: "name posts { title }",
    expected: { name: "X", posts: [{ title: "Three" }] },
  },
  {
    name: "an object with objects as its relations",
    resolve: () => ({
      id: "1",
      posts: [{ id: "1", title: "Mine" }, { title: "Nobody's", author: { id: "2", name: "Me" } }],
      pet: { __typename: "Cat", name: "Kit" },
    }),
    selection: "posts { title author { name } } pet { name }",
    expected: {
      posts: [
        { title: "Mine", author: { name: "Ada" } },
        { title: "Nobody's", author: { name: "Me" } },
      ],
      pet: { name: "Kit" },
    },
  },
  {
    name: "an object with a collection and a model as its relations",
    resolve: (_obj, _args, { mockSchema }) => ({
      id: "9",
      posts: mockSchema.posts.where({ authorId: null }),
      pet: mockSchema.cats.find(1),
    }),
    selection: "posts { title } pet { name }",
    expected: { posts: [{ title: "Three" }], pet: { name: "Tom" } },
  },
  {
    name: "an object with promised relations",
    resolve: (_obj, _args, { mockSchema }) => ({
      id: "9",
      name: Promise.resolve("Later"),
      posts: Promise.resolve(mockSchema.posts.where({ authorId: null })),
      pet: Promise.resolve(mockSchema.cats.find(1)),
    }),
    selection:
      `name posts(title: "Three") { title } none: posts(title: "One") { title } pet { name }`,
    expected: { name: "Later", posts: [{ title: "Three" }], none: [], pet: { name: "Tom" } },
  },
  {
    name: "an object with methods",
    resolve: (_obj, _args, { mockSchema }) => ({
      id: "9",
      name: () => "Method",
      posts: ({ title }: { title?: string }) => mockSchema.posts.where(title ? { title } : {}),
      pet: () => Promise.resolve({ __typename: "Cat", name: "Kit" }),
    }),
    selection: `name posts(title: "One") { title } pet { name }`,
    expected: { name: "Method", posts: [{ title: "One" }], pet: { name: "Kit" } },
  },
  {
    name: "an object whose relations are null and empty",
    resolve: () => ({ id: "1", posts: [], pet: null, address: null }),
    selection: "posts { title } pet { name } address { city }",
    expected: { posts: [], pet: null, address: null },
  },
  {
    name: "an instance of a class with getters",
    resolve: () =>
      new (class {
        readonly id = "9";
        get name() {
          return "Getter";
        }
        get posts() {
          return [{ title: "Got" }];
        }
      })(),
    selection: "name posts { title }",
    expected: { name: "Getter", posts: [{ title: "Got" }] },
  },
];

for (const { name, resolve, selection, expected } of PARENTS) {
  Deno.test(`a parent may be ${name}`, async () => {
    const { data } = createMockServer(SCHEMA, {
      data: DATA,
      resolvers: { Query: { person: resolve } },
    });
    deepStrictEqual((await data(`{ person { ${selection} } }`)).person, expected);
  });
}

import { deepStrictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";

const SCHEMA = `
  interface Animal { id: ID! name: String }
  type Cat implements Animal { id: ID! name: String }
  type Person { id: ID! name: String shout: String posts(title: String): [Post!]! pet: Animal address: Address }
  type Post { id: ID! title: String author: Person tags: [Tag!] }
  type Tag { id: ID! label: String }
  type Address { city: String }
  type Query {
    person(id: ID): Person
    people: [Person!]!
    post: Post
    posts: [Post!]!
  }
`;

const DATA = {
  people: [
    {
      id: "1",
      name: "Ada",
      postIds: ["2", "1"],
      petId: { type: "cat", id: "1" },
      address: { city: "London" },
    },
    { id: "2", name: "Zoë", postIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", tagIds: ["1"] },
    { id: "2", title: "Two", authorId: "1", tagIds: [] },
    { id: "3", title: "Three", authorId: null, tagIds: ["1"] },
  ],
  tags: [{ id: "1", label: "a" }],
  cats: [{ id: "1", name: "Tom" }],
};

/** A parent as a resolver returns it, and what is read of it. */
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
    name: "an object with nothing but the id of a record",
    resolve: () => ({ id: 1, name: "Me" }),
    selection: ALL.replace("address { city }", ""),
    expected: { id: "1", name: "Me", posts: ADA.posts, pet: ADA.pet },
  },
  {
    name: "a model with attributes that are not saved",
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
    name: "a model with relations that are not saved",
    resolve(_obj, _args, { mockSchema }) {
      const person = mockSchema.people.find(1);
      person.posts = [mockSchema.posts.find(3), mockSchema.posts.new({ title: "New" })];
      return person;
    },
    selection: "name posts { title }",
    expected: { name: "Ada", posts: [{ title: "Three" }, { title: "New" }] },
  },
  {
    name: "a model whose related model has changes that are not saved",
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

Deno.test("a parent may be a model that is not saved, with relations that are not either", async () => {
  const { data, server } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        person: (_obj, _args, { mockSchema }) => {
          const person = mockSchema.people.new({ name: "New" });
          person.posts = [mockSchema.posts.new({ title: "Newer" })];
          return { ...person.attrs, id: "none", posts: person.posts };
        },
        post: (_obj, _args, { mockSchema }) =>
          mockSchema.posts.new({
            id: "77",
            title: "Lone",
            author: mockSchema.people.new({ name: "Y" }),
          }),
      },
    },
  });
  deepStrictEqual(
    await data("{ person { name posts { title } } post { title author { name } tags { id } } }"),
    {
      person: { name: "New", posts: [{ title: "Newer" }] },
      post: { title: "Lone", author: { name: "Y" }, tags: [] },
    },
  );
  deepStrictEqual(server.db.posts?.length, 3);
});

Deno.test("lists may be collections, also of models with changes, and mixed", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        people: (_obj, _args, { mockSchema }) => mockSchema.people.all(),
        posts: async (_obj, _args, { mockSchema }) => {
          await Promise.resolve();
          const changed = mockSchema.posts.find(1);
          changed.title = "Changed";
          return [changed, { id: "2", title: "Plain" }, Promise.resolve(mockSchema.posts.find(3))];
        },
      },
    },
  });
  deepStrictEqual(
    await data("{ people { name posts { title } } posts { title author { name } } }"),
    {
      people: [
        { name: "Ada", posts: [{ title: "Two" }, { title: "One" }] },
        { name: "Zoë", posts: [] },
      ],
      posts: [
        { title: "Changed", author: { name: "Ada" } },
        { title: "Plain", author: { name: "Ada" } },
        { title: "Three", author: null },
      ],
    },
  );
});

Deno.test("getters of model classes are seen, by every way to a record", async () => {
  class Person extends ModelClass {
    get shout() {
      return `${this.name.toUpperCase()}!`;
    }
    get address() {
      return { city: `City of ${this.posts.length} posts` };
    }
  }
  Object.assign(Person.prototype, { posts: hasMany("post", { inverse: "author" }) });
  const { data } = createMockServer(SCHEMA, {
    models: {
      person: Person,
      post: Model.extend({
        author: belongsTo("person", { inverse: "posts" }),
        tags: hasMany("tag"),
      }),
    },
    data: { ...DATA, people: DATA.people.map(({ address: _address, ...one }) => one) },
    resolvers: { Query: { person: (_obj, _args, { mockSchema }) => mockSchema.people.find(1) } },
  });
  deepStrictEqual(
    await data("{ people { shout address { city } } person { shout } posts { author { shout } } }"),
    {
      people: [
        { shout: "ADA!", address: { city: "City of 2 posts" } },
        { shout: "ZOË!", address: { city: "City of 0 posts" } },
      ],
      person: { shout: "ADA!" },
      posts: [{ author: { shout: "ADA!" } }, { author: { shout: "ADA!" } }, { author: null }],
    },
  );
});

Deno.test("a record that the host changed in the database is read as it is now", async () => {
  const { data, server } = createMockServer(SCHEMA, { data: DATA });
  const query = "{ people { name posts { title } } }";
  await data(query);
  server.db.people?.update("2", { name: "Zoe", postIds: ["3"] });
  server.db.people?.remove("1");
  server.db.posts?.update("3", { title: "3" });
  deepStrictEqual(await data(query), { people: [{ name: "Zoe", posts: [{ title: "3" }] }] });
  server.db.emptyData();
  deepStrictEqual(await data(query), { people: [] });
  server.db.loadData({ people: [{ id: "5", name: "Eve" }] });
  deepStrictEqual(await data(query), { people: [{ name: "Eve", posts: [] }] });
});

Deno.test("attributes may be named as members of Mirage's models are", async () => {
  const { data, dump } = createMockServer(
    `type Car { id: ID! modelName: String destroy: String isNew: Boolean }
     type Query { car: Car cars: [Car!]! }`,
    {
      data: {
        cars: [{ id: "1", modelName: "Mini", destroy: "no", isNew: false }],
      },
      resolvers: { Query: { car: (_obj, _args, { mockSchema }) => mockSchema.cars.first() } },
    },
  );
  const fields = "{ id modelName destroy isNew }";
  const car = { id: "1", modelName: "Mini", destroy: "no", isNew: false };
  deepStrictEqual(await data(`{ car ${fields} cars ${fields} }`), { car, cars: [car] });
  deepStrictEqual(dump().cars, [car]);
});

Deno.test("a field of a Mirage model's name that a record lacks is null, and changes nothing", async () => {
  const { data, dump } = createMockServer(
    "type Car { id: ID! destroy: String } type Query { car: Car }",
    {
      data: { cars: [{ id: "1" }] },
      resolvers: { Query: { car: (_obj, _args, { mockSchema }) => mockSchema.cars.first() } },
    },
  );
  deepStrictEqual(await data("{ car { destroy } }"), { car: { destroy: null } });
  deepStrictEqual(dump().cars, [{ id: "1" }]);
});

Deno.test("a field of the query type leads back to the root", async () => {
  const { data } = createMockServer(
    `type Person { id: ID! name: String query: Query! } type Query { query: Query! people: [Person!]! person(id: ID): Person }`,
    { data: { people: [{ id: "1", name: "Ada" }, { id: "2", name: "Zoë" }] } },
  );
  deepStrictEqual(
    await data(
      "{ query { query { people { name } person(id: 2) { query { person { name } } } } } }",
    ),
    {
      query: {
        query: {
          people: [{ name: "Ada" }, { name: "Zoë" }],
          person: { query: { person: { name: "Ada" } } },
        },
      },
    },
  );
});

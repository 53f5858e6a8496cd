import { deepStrictEqual } from "node:assert/strict";
import { belongsTo, hasMany, Model } from "miragejs";
import { createMockServer } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";

const SCHEMA = `
  scalar Date
  enum Mood { HAPPY SAD }
  interface Animal { id: ID! name: String }
  type Cat implements Animal { id: ID! name: String owner: Person }
  type Dog implements Animal { id: ID! name: String owner: Person }
  type Review { id: ID! stars: Int }
  type Tag { id: ID! label: String posts: [Post!]! }
  type Person {
    id: ID! name: String age: Int mood: Mood score: Float isAdmin: Boolean born: Date
    nicknames: [String!]
    posts(id: ID, title: String, authorId: ID, tags: ID): [Post!]!
    favorite: Animal
    best(stars: Int, id: ID): Review
  }
  type Post { id: ID! title: String author: Person tags: [Tag!]! }
  type Query {
    people(
      id: ID, name: String, age: Int, mood: Mood, score: Float, isAdmin: Boolean, born: Date,
      nicknames: [String!], posts: ID, postIds: [ID!], favorite: ID, email: String,
      favoriteId: ID, moods: [Mood!]
    ): [Person!]!
    peopleOf(name: [String!], mood: [Mood!], age: [Int], id: [ID!]): [Person!]!
    person(id: ID, name: String, mood: Mood): Person
    posts(author: ID, authorId: ID, tags: [ID!], tagIds: ID, title: String): [Post!]!
    animals(name: String, owner: ID): [Animal!]!
    animal(id: ID, name: String): Animal
  }
`;

const DATA = {
  people: [
    {
      id: "1",
      name: "Ada",
      age: 36,
      mood: "HAPPY",
      score: 1.5,
      isAdmin: true,
      nicknames: ["A", "Countess"],
      postIds: ["1", "2"],
      email: "ada@example.org",
      favoriteId: { type: "dog", id: "1" },
      bestId: "2",
    },
    { id: "2", name: "Zoë", age: 20, mood: "SAD", score: 2, isAdmin: false, postIds: ["3"] },
    { id: "3", name: null, mood: "HAPPY", postIds: [], favoriteId: { type: "cat", id: "1" } },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", tagIds: ["1"] },
    { id: "2", title: "Two", authorId: "1", tagIds: ["1", "2"] },
    { id: "3", title: "One", authorId: "2", tagIds: [] },
  ],
  tags: [{ id: "1", label: "a", postIds: ["1", "2"] }, { id: "2", label: "b", postIds: ["2"] }],
  reviews: [{ id: "1", stars: 4 }, { id: "2", stars: 5 }],
  cats: [{ id: "1", name: "Tom", ownerId: "1" }, { id: "2", name: "Kit", ownerId: null }],
  dogs: [{ id: "1", name: "Rex", ownerId: "2" }, { id: "2", name: "Tom", ownerId: "1" }],
};

/** Names the records in an answer: their ids, with the type if it was requested. */
function idsOf(records: readonly { id: string; __typename?: string }[]): string[] {
  return records.map(({ id, __typename }) => __typename === undefined ? id : __typename + id);
}

const ROOT_LISTS: readonly [field: string, ids: readonly string[]][] = [
  ["people", ["1", "2", "3"]],
  [`people(id: "2")`, ["2"]],
  ["people(id: 2)", ["2"]],
  ["people(id: null)", ["1", "2", "3"]],
  ["people(name: null, id: 3)", ["3"]],
  [`people(name: "Ada")`, ["1"]],
  [`people(name: "ada")`, []],
  [`people(name: "null")`, []],
  ["people(age: 20)", ["2"]],
  ["people(score: 2)", ["2"]],
  ["people(score: 1.5)", ["1"]],
  ["people(isAdmin: false)", ["2"]],
  ["people(mood: HAPPY)", ["1", "3"]],
  ["people(mood: HAPPY, age: 36)", ["1"]],
  [`people(nicknames: ["Countess"])`, ["1"]],
  [`people(email: "ada@example.org")`, ["1"]],
  ["people(posts: 3)", ["2"]],
  [`people(postIds: ["2", "3"])`, ["1", "2"]],
  ["people(favorite: 1)", ["1", "3"]],
  ["people(favoriteId: 1)", ["1", "3"]],
  [`peopleOf(name: ["Ada", "Zoë", "Ola"])`, ["1", "2"]],
  [`peopleOf(name: "Ada")`, ["1"]],
  ["peopleOf(name: [])", []],
  ["peopleOf(name: null)", ["1", "2", "3"]],
  ["peopleOf(mood: [SAD, HAPPY])", ["1", "2", "3"]],
  ["peopleOf(mood: SAD)", ["2"]],
  ["peopleOf(age: [20, 36])", ["1", "2"]],
  ["peopleOf(id: [3, 1])", ["1", "3"]],
  ["posts(author: 1)", ["1", "2"]],
  ["posts(authorId: 2)", ["3"]],
  ["posts(tags: [2])", ["2"]],
  ["posts(tags: [1, 2])", ["1", "2"]],
  ["posts(tagIds: 1)", ["1", "2"]],
  [`posts(author: 1, title: "One")`, ["1"]],
  [`animals(name: "Tom")`, ["Cat1", "Dog2"]],
  ["animals(owner: 1)", ["Cat1", "Dog2"]],
];

for (const [field, ids] of ROOT_LISTS) {
  Deno.test(`a root list is filtered: ${field}`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA });
    const typename = field.startsWith("animals") ? "__typename" : "";
    deepStrictEqual(idsOf((await data(`{ list: ${field} { ${typename} id } }`)).list), ids);
  });
}

const NESTED: readonly [selection: string, expected: unknown][] = [
  ["posts { id }", { posts: [{ id: "1" }, { id: "2" }] }],
  ["posts(id: 2) { id }", { posts: [{ id: "2" }] }],
  [`posts(title: "One") { id }`, { posts: [{ id: "1" }] }],
  ["posts(title: null) { id }", { posts: [{ id: "1" }, { id: "2" }] }],
  ["posts(authorId: 1, id: 2) { id }", { posts: [{ id: "2" }] }],
  ["posts(authorId: 2) { id }", { posts: [] }],
  ["posts(tags: 2) { id }", { posts: [{ id: "2" }] }],
  ["best(stars: 5) { id }", { best: { id: "2" } }],
  ["best(stars: 4) { id }", { best: null }],
  ["best(id: 2) { id }", { best: { id: "2" } }],
  ["best(id: null) { id }", { best: { id: "2" } }],
];

for (const [selection, expected] of NESTED) {
  Deno.test(`a nested field is filtered like one at the root: ${selection}`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA });
    deepStrictEqual((await data(`{ person(id: 1) { ${selection} } }`)).person, expected);
  });
}

const SINGLES: readonly [field: string, expected: unknown][] = [
  ["person { id }", { id: "1" }],
  ["person(id: 2) { id }", { id: "2" }],
  [`person(id: 2, name: "Ada") { id }`, null],
  ["person(id: null, mood: SAD) { id }", { id: "2" }],
  ["person(id: 9) { id }", null],
  ["animal(id: 2) { __typename id }", { __typename: "Cat", id: "2" }],
  [`animal(name: "Rex") { __typename id }`, { __typename: "Dog", id: "1" }],
];

for (const [field, expected] of SINGLES) {
  Deno.test(`a single object is the first that matches: ${field}`, async () => {
    const { data } = createMockServer(SCHEMA, { data: DATA });
    deepStrictEqual((await data(`{ one: ${field} }`)).one, expected);
  });
}

Deno.test("a variable that is null or missing does not filter", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  const query = "query ($name: String, $age: Int) { people(name: $name, age: $age) { id } }";
  deepStrictEqual(idsOf((await data(query)).people), ["1", "2", "3"]);
  deepStrictEqual(idsOf((await data(query, { name: null, age: 20 })).people), ["2"]);
  const nested = "query ($t: String) { person(id: 1) { posts(title: $t) { id } } }";
  deepStrictEqual(idsOf((await data(nested, { t: null })).person.posts), ["1", "2"]);
  deepStrictEqual(idsOf((await data(nested)).person.posts), ["1", "2"]);
});

Deno.test("ids are the same as numbers and as strings, in variables too", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  const query = "query ($id: ID) { people(id: $id) { id } person(id: $id) { id } }";
  const expected = { people: [{ id: "2" }], person: { id: "2" } };
  deepStrictEqual(await data(query, { id: 2 }), expected);
  deepStrictEqual(await data(query, { id: "2" }), expected);
});

Deno.test("an enum is compared by its internal value", async () => {
  const { data } = createMockServer(SCHEMA, {
    resolvers: { Mood: { HAPPY: 1, SAD: "blue" } },
    data: { people: [{ id: "1", mood: 1 }, { id: "2", mood: "blue" }, { id: "3", mood: 1 }] },
  });
  deepStrictEqual(await data("{ people(mood: HAPPY) { id mood } }"), {
    people: [{ id: "1", mood: "HAPPY" }, { id: "3", mood: "HAPPY" }],
  });
  deepStrictEqual(await data("{ peopleOf(mood: [SAD]) { id mood } }"), {
    peopleOf: [{ id: "2", mood: "SAD" }],
  });
});

Deno.test("a relation to any of several models filters by id, whatever the model", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(await data("{ people(favorite: 1) { id favorite { __typename id } } }"), {
    people: [
      { id: "1", favorite: { __typename: "Dog", id: "1" } },
      { id: "3", favorite: { __typename: "Cat", id: "1" } },
    ],
  });
});

Deno.test("a filter can use attributes that the type doesn't show, and getters", async () => {
  const Person = class extends ModelClass {
    get initial() {
      return this.name[0];
    }
  };
  const { data } = createMockServer(
    `type Person { id: ID! name: String }
     type Query { people(initial: String, secret: Int): [Person!]! }`,
    {
      models: { person: Person },
      data: { people: [{ id: "1", name: "Ada", secret: 7 }, { id: "2", name: "Zoë" }] },
    },
  );
  deepStrictEqual(await data(`{ people(initial: "Z") { id } }`), { people: [{ id: "2" }] });
  deepStrictEqual(await data("{ people(secret: 7) { id } }"), { people: [{ id: "1" }] });
});

Deno.test("a foreign key of a user-defined model filters, even if the type doesn't show it", async () => {
  const { data } = createMockServer(
    `type Person { id: ID! } type Post { id: ID! }
     type Query { posts(writer: ID, writerId: ID): [Post!]! people: [Person!]! }`,
    {
      models: { person: Model, post: Model.extend({ writer: belongsTo("person") }) },
      data: { people: [{ id: "1" }], posts: [{ id: "1", writerId: "1" }, { id: "2" }] },
    },
  );
  deepStrictEqual(await data("{ posts(writer: 1) { id } }"), { posts: [{ id: "1" }] });
  deepStrictEqual(await data("{ posts(writerId: 1) { id } }"), { posts: [{ id: "1" }] });
});

Deno.test("models and plain objects that a resolver returned are filtered in nested fields", async () => {
  class Post extends ModelClass {
    get slug() {
      return this.title.toLowerCase();
    }
  }
  Object.assign(Post.prototype, { author: belongsTo("person", { inverse: "posts" }) });
  const { data } = createMockServer(
    `type Person { id: ID! posts(slug: String, author: ID, authorId: ID, title: String): [Post!]! }
     type Post { id: ID! title: String slug: String author: Person }
     type Query { models: [Person!]! plain: Person shown: [Person!]! }`,
    {
      models: {
        post: Post,
        person: Model.extend({ posts: hasMany("post", { inverse: "author" }) }),
      },
      data: {
        people: [{ id: "1", postIds: ["1", "2"] }],
        posts: [{ id: "1", title: "One", authorId: "1" }, { id: "2", title: "Two", authorId: "1" }],
      },
      resolvers: {
        Query: {
          models: (_obj, _args, { mockSchema }) => {
            const people = mockSchema.people.all();
            people.models[0].posts.models[0].title = "Changed";
            return people;
          },
          plain: () => ({
            id: "9",
            posts: [
              { id: "1", authorId: "7", title: "A" },
              { id: "2", author: { id: 8 }, title: "B", slug: "own" },
              { id: "3", title: "C" },
            ],
          }),
        },
      },
    },
  );
  const posts = (args: string) => `posts(${args}) { id }`;
  deepStrictEqual(
    await data(
      `{ models { ${posts('slug: "changed"')} } two: models { ${posts('title: "Two"')} } }`,
    ),
    { models: [{ posts: [{ id: "1" }] }], two: [{ posts: [{ id: "2" }] }] },
  );
  deepStrictEqual(
    await data(`{ a: plain { ${posts("author: 7")} } b: plain { ${posts("author: 8")} }
      c: plain { ${posts("authorId: 7")} } d: plain { ${posts('title: "C"')} } }`),
    {
      a: { posts: [{ id: "1" }] },
      b: { posts: [{ id: "2" }] },
      c: { posts: [{ id: "1" }] },
      d: { posts: [{ id: "3" }] },
    },
  );
});

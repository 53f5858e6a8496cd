import { deepStrictEqual } from "node:assert/strict";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";

const SCHEMA = `
  interface Named { name: String }
  type Person implements Named { id: ID! name: String posts(sort: String, id: ID): [Post!]! }
  type Post { id: ID! title: String author(loud: Boolean): Person }
  type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
  type PersonEdge { cursor: String! node: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! }
  type Query {
    people(sort: String, name: String): [Person!]!
    person(minimum: Int): Person posts: [Post!]!
    named(sort: String): [Named!]!
    page(first: Int, sort: String): PersonConnection!
    defaulted(sort: String = "asc"): [Person!]!
  }
`;

const DATA = {
  people: [{ id: "1", name: "Zoë", postIds: ["1"] }, { id: "2", name: "Ada", postIds: [] }],
  posts: [{ id: "1", title: "One", authorId: "1" }],
};

const cannot = (field: string, argument: string, type: string) =>
  `Cannot filter ${field} by the argument "${argument}": ${type} has no such attribute. ` +
  `Write a resolver for ${field} that handles "${argument}"; it may delete it from its arguments ` +
  "and call mockGraphQLFieldResolver for the rest";

const CASES: readonly [query: string, message: string][] = [
  [`{ people(sort: "a") { id } }`, cannot("Query.people", "sort", "Person")],
  ["{ person(minimum: 1) { id } }", cannot("Query.person", "minimum", "Person")],
  [`{ named(sort: "a") { name } }`, cannot("Query.named", "sort", "Named")],
  [`{ defaulted(sort: "asc") { id } }`, cannot("Query.defaulted", "sort", "Person")],
  [`{ people { posts(sort: "a") { id } } }`, cannot("Person.posts", "sort", "Post")],
  ["{ people { posts { author(loud: true) { id } } } }", cannot("Post.author", "loud", "Person")],
  [`{ page(sort: "a") { edges { cursor } } }`, cannot("Query.page", "sort", "Person")],
];

for (const [query, message] of CASES) {
  Deno.test(`an argument that matches no attribute is an error: ${query}`, async () => {
    const { errors } = createMockServer(SCHEMA, { data: DATA });
    deepStrictEqual((await errors(query))[0], message);
  });
}

Deno.test("an argument that matches no attribute is an error even without records", async () => {
  const { errors } = createMockServer(SCHEMA);
  deepStrictEqual(await errors(`{ people(sort: "a") { id } }`), [
    cannot("Query.people", "sort", "Person"),
  ]);
  const lonely = createMockServer(SCHEMA, { data: { posts: [{ id: "1", authorId: null }] } });
  deepStrictEqual(await lonely.errors("{ posts { author(loud: true) { id } } }"), [
    cannot("Post.author", "loud", "Person"),
  ]);
});

Deno.test("an argument that matches no attribute is not an error if it is null", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  deepStrictEqual(await data("{ people(sort: null) { id } }"), {
    people: [{ id: "1" }, { id: "2" }],
  });
});

Deno.test("a resolver can handle an argument, delete it, and have the rest resolved automatically", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        people(obj, args, context, info) {
          const { sort } = args;
          delete args.sort;
          const people = mockGraphQLFieldResolver<{ name: string }[]>(obj, args, context, info);
          return sort === undefined ? people : people.sort((a, b) => a.name.localeCompare(b.name));
        },
      },
      Person: {
        posts(obj, { sort: _sort, ...args }, context, info) {
          return mockGraphQLFieldResolver(obj, args, context, info);
        },
      },
    },
  });
  deepStrictEqual(await data(`{ people(sort: "a") { id posts(sort: "b") { id } } }`), {
    people: [{ id: "2", posts: [] }, { id: "1", posts: [{ id: "1" }] }],
  });
  deepStrictEqual(await data(`{ people(sort: "a", name: "Zoë") { id } }`), {
    people: [{ id: "1" }],
  });
});

Deno.test("an input object is not compared with attributes or relations: it needs a resolver", async () => {
  const { errors, data } = createMockServer(
    `type Person { id: ID! age: Int boss: Person }
     input Range { min: Int } input Which { id: ID }
     type Query { people(age: Range, boss: Which): [Person!] oldest(age: Range): Person }`,
    { data: { people: [{ id: "1", age: 36 }, { id: "2", age: 28, bossId: "1" }] } },
  );
  const CANNOT: readonly [field: string, argument: string, value: string][] = [
    ["people", "age", "{ min: 30 }"],
    ["people", "boss", "{ id: 1 }"],
    ["oldest", "age", "{ min: 30 }"],
  ];
  for (const [field, argument, value] of CANNOT) {
    deepStrictEqual(await errors(`{ ${field}(${argument}: ${value}) { id } }`), [
      `Cannot filter Query.${field} by the argument "${argument}": it is an input object, and ` +
      `values are compared by equality. Write a resolver for Query.${field} that handles ` +
      `"${argument}"; it may delete it from its arguments and call mockGraphQLFieldResolver for the ` +
      "rest",
    ]);
  }
  deepStrictEqual(await data("{ oldest(age: null) { id } }"), { oldest: { id: "1" } });
});

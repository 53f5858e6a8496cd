import { deepStrictEqual, ok } from "node:assert/strict";
import { hasMany, Model } from "miragejs";
import { mockGraphQLFieldResolver } from "../mod.ts";
import { createMockServer, type MockServerOptions } from "../testing/mock_server.ts";
import { ModelClass } from "../testing/model_class.ts";

const SCHEMA = `
  scalar JSON
  type Address { city: String lines: [String!] }
  type Person { id: ID! name: String tags: [String!] json: JSON jsons: [JSON] address: Address posts: [Post!]! born: JSON probe: String }
  type Post { id: ID! title: String }
  type PageInfo { hasNextPage: Boolean! }
  type PersonEdge { node: Person! }
  type PersonConnection { edges: [PersonEdge!]! pageInfo: PageInfo! }
  type Query {
    people(first: Boolean): [Person!]! page(first: Int): PersonConnection! person: Person
    plain: JSON
  }
`;

const data = () => ({
  people: [{
    id: "1",
    name: "Ada",
    tags: ["a", "b"],
    json: { list: [{ deep: 1 }] },
    jsons: [{ deep: 1 }, [1]],
    address: { city: "London", lines: ["One"] },
    postIds: ["1"],
    born: new Date(0),
  }],
  posts: [{ id: "1", title: "One" }],
});

/** Changes everything that it finds. */
function spoil(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null || depth > 6) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner instanceof Date) inner.setFullYear(1900);
    else spoil(inner, depth + 1);
    if (Array.isArray(value)) continue;
    if (typeof inner !== "object") Reflect.set(value, key, "spoilt");
  }
  if (Array.isArray(value)) value.push("spoilt");
}

const ALL = "id name tags json jsons address { city lines } posts { title } born";

async function unspoilt(options: MockServerOptions<unknown>, query: string): Promise<void> {
  const { server, handler, dump } = createMockServer(SCHEMA, { ...options, data: data() });
  const answer = await handler(server.schema, { requestBody: JSON.stringify({ query }) });
  deepStrictEqual(answer.errors, undefined);
  spoil(answer.data);
  deepStrictEqual(dump(), data());
}

const QUERIES = [
  `{ people { ${ALL} } }`,
  `{ person { ${ALL} } }`,
  `{ page(first: 1) { edges { node { ${ALL} } } } }`,
];

for (const query of QUERIES) {
  Deno.test(`a caller who changes data doesn't change the database: ${query}`, async () => {
    await unspoilt({}, query);
  });
}

Deno.test("a caller who changes data doesn't change the database: models from a resolver", async () => {
  // deno-lint-ignore no-explicit-any
  const person = (_obj: unknown, _args: unknown, { mockSchema }: any) => mockSchema.people.first();
  await unspoilt({ resolvers: { Query: { person } } }, `{ person { ${ALL} } }`);
});

Deno.test("a resolver of an embedded object that changes its obj doesn't change the database", async () => {
  const city = (obj: object) => {
    spoil(obj);
    return "Paris";
  };
  await unspoilt({ resolvers: { Address: { city } } }, "{ people { address { city lines } } }");
});

Deno.test("a getter of a model class that changes a list doesn't change the database", async () => {
  class Person extends ModelClass {
    get probe() {
      return this.tags.sort().reverse().join();
    }
  }
  const models = { person: Person, post: Model };
  Object.assign(Person.prototype, { posts: hasMany("post", { inverse: null }) });
  await unspoilt({ models }, "{ people { probe tags } }");
});

Deno.test("a resolver that changes its obj doesn't change the database", async () => {
  const probe = (obj: object) => {
    spoil({ ...obj, posts: undefined });
    Object.assign(obj, { name: "spoilt" });
    return "done";
  };
  await unspoilt({ resolvers: { Person: { probe } } }, "{ people { probe } person { probe } }");
});

Deno.test("a resolver that changes what mockGraphQLFieldResolver returned doesn't change the database", async () => {
  const { dump, data: ask } = createMockServer(SCHEMA, {
    data: data(),
    resolvers: {
      Query: {
        people(obj, args, context, info) {
          const people = mockGraphQLFieldResolver<{ name: string; tags: string[] }[]>(
            obj,
            args,
            context,
            info,
          );
          for (const person of people) {
            person.name = "Eve";
            person.tags.push("c");
          }
          people.push(...people);
          return people;
        },
      },
    },
  });
  deepStrictEqual(await ask("{ people { name tags } person { name tags } }"), {
    people: [{ name: "Eve", tags: ["a", "b", "c"] }, { name: "Eve", tags: ["a", "b", "c"] }],
    person: { name: "Ada", tags: ["a", "b"] },
  });
  deepStrictEqual(dump(), data());
});

Deno.test("responses share nothing with each other", async () => {
  const { server, handler } = createMockServer(SCHEMA, { data: data() });
  const ask = () => handler(server.schema, { requestBody: JSON.stringify({ query: QUERIES[0] }) });
  const first = await ask();
  const text = JSON.stringify(first.data);
  spoil(first.data);
  deepStrictEqual(JSON.stringify((await ask()).data), text);
});

const AGGREGATES = `
  scalar DateTime
  type Person { id: ID! name: String born: DateTime }
  type DateTimeEdge { node: DateTime! }
  type PageInfo { hasNextPage: Boolean! }
  type DateTimeConnection { edges: [DateTimeEdge!]! nodes: [DateTime!]! pageInfo: PageInfo! }
  type PersonAggregateResult { count: Int bornMax: DateTime }
  type PersonAggregates { count: Int! max: PersonMax }
  type PersonMax { born: DateTime }
  type Query {
    people: [Person!]!
    aggregatePerson: PersonAggregateResult
    personAggregates: PersonAggregates
    personBorn: DateTimeConnection!
  }
`;

const OF_ALL_RECORDS = [
  "aggregatePerson { bornMax }",
  "personAggregates { max { born } }",
  "personBorn { edges { node } nodes }",
];

for (const query of OF_ALL_RECORDS) {
  Deno.test(`a caller who changes a value of all records doesn't change the database: { ${query} }`, async () => {
    const people = () => [{ id: "1", name: "Ada", born: new Date(0) }];
    const { server, handler, dump } = createMockServer(AGGREGATES, {
      data: { people: people() },
      conventions: "common",
    });
    const answer = await handler(server.schema, {
      requestBody: JSON.stringify({ query: `{ ${query} }` }),
    });
    deepStrictEqual(answer.errors, undefined);
    ok(JSON.stringify(answer.data).includes("1970-01-01"));
    spoil(answer.data);
    deepStrictEqual(dump(), { people: people() });
  });
}

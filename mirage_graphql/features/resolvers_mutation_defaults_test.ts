import { deepStrictEqual } from "node:assert/strict";
import { createMutationServer, messagesOf } from "../testing/mutation_server.ts";

const UNUSUAL = `
  type Query { people: [Person] }
  type Person { id: ID! name: String }
  input PersonInput { name: String }
  type Mutation {
    deletePeople(ids: [ID!]!): Person
    createPeople(inputs: [PersonInput!]!): Person
    movePerson(from: ID!, to: ID!): Person
    merge(one: PersonInput!, two: PersonInput!): Person
    updatePerson(id: ID!, input: PersonInput!, notify: Boolean): Person
    createPerson(name: String): Person
    reset: Person
    deletePerson(id: ID!): Boolean
    remove_people(id: ID!): [Person]
    purge(id: ID!): [Person]
    log(id: ID!): String!
  }
`;

const ARGUMENTS =
  "where one input object creates, one ID and one input object update, and one ID deletes";

const CASES: readonly (readonly [call: string, reason: string, hint?: string])[] = [
  ["deletePeople(ids: [1]) { id }", `takes (ids: [ID!]!), ${ARGUMENTS}`],
  ["createPeople(inputs: []) { id }", `takes (inputs: [PersonInput!]!), ${ARGUMENTS}`],
  ["movePerson(from: 1, to: 2) { id }", `takes (from: ID!, to: ID!), ${ARGUMENTS}`],
  ["merge(one: {}, two: {}) { id }", `takes (one: PersonInput!, two: PersonInput!), ${ARGUMENTS}`],
  [
    "updatePerson(id: 1, input: {}) { id }",
    `takes (id: ID!, input: PersonInput!, notify: Boolean), ${ARGUMENTS}`,
  ],
  ['createPerson(name: "x") { id }', `takes (name: String), ${ARGUMENTS}`],
  ["reset { id }", `takes no arguments, ${ARGUMENTS}`],
  [
    "deletePerson(id: 1)",
    "returns Boolean, which is not an object type",
    ", in which mockGraphQLFieldResolver(obj, args, context, info) will delete the Person and return it",
  ],
  [
    "remove_people(id: 1) { id }",
    "returns a list, [Person]",
    ", in which mockGraphQLFieldResolver(obj, args, context, info) will delete the Person and return it",
  ],
  ["log(id: 1)", "returns String, which is not an object type"],
];

for (const [call, reason, hint = ""] of CASES) {
  const name = call.slice(0, call.search(/\W/));
  Deno.test(`${call} without a resolver is an error that says why, and changes nothing`, async () => {
    using server = createMutationServer(UNUSUAL);
    server.seed("person", { name: "Ada" });
    const before = server.dump();
    deepStrictEqual(messagesOf(await server.run(`mutation { ${call} }`)), [
      `Could not find a default resolver for ${name}. Please supply a resolver for this mutation. ` +
      `It ${reason}. ` +
      `Write resolvers: { Mutation: { ${name}(obj, args, context, info) { ... } } }${hint}`,
    ]);
    deepStrictEqual(server.dump(), before);
  });
}

Deno.test("a custom resolver that returns Boolean can call the default deletion", async () => {
  using server = createMutationServer(UNUSUAL, {
    explicit: { deletePerson: (resolve, args) => !!resolve(args) },
  });
  server.seed("person", { name: "Ada" });
  const result = await server.run(`mutation { a: deletePerson(id: 1) b: deletePerson(id: 1) }`);
  deepStrictEqual(JSON.parse(JSON.stringify(result.data)), { a: true, b: null });
  deepStrictEqual(messagesOf(result), [
    'Cannot delete Person "1": there is no record with this id',
  ]);
  deepStrictEqual(server.table("people"), []);
});

Deno.test("a custom resolver that returns a list receives the single record", async () => {
  using server = createMutationServer(UNUSUAL, {
    explicit: { purge: (resolve, args) => [resolve(args)] },
  });
  server.seed("person", { name: "Ada" });
  const result = await server.run(`mutation { purge(id: 1) { name } }`);
  deepStrictEqual(JSON.parse(JSON.stringify(result)), { data: { purge: [{ name: "Ada" }] } });
});

Deno.test("a custom resolver can remove an argument and call the default", async () => {
  using server = createMutationServer(UNUSUAL, {
    explicit: { updatePerson: (resolve, { notify: _, ...args }) => resolve(args) },
  });
  server.seed("person", { name: "Ada" });
  const result = await server.run(
    `mutation { updatePerson(id: 1, input: { name: "B" }, notify: true) { name } }`,
  );
  deepStrictEqual(JSON.parse(JSON.stringify(result)), { data: { updatePerson: { name: "B" } } });
});

Deno.test("calling a default that doesn't exist is the same error", async () => {
  using server = createMutationServer(UNUSUAL, {
    explicit: { log: (resolve, args) => String(resolve(args)) },
  });
  const result = await server.run(`mutation { log(id: 1) }`);
  deepStrictEqual(
    messagesOf(result)[0]?.slice(0, 53),
    "Could not find a default resolver for log. Please sup",
  );
});

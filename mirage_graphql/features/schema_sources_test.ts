import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  buildSchema,
  GraphQLBoolean,
  GraphQLID,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from "graphql";
import { makeExecutableSchema } from "@graphql-tools/schema";
import { createServer } from "miragejs";
import { createGraphQLHandler } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";

const PERSON = "type Person { id: ID! name: String }";
const QUERY = "type Query { people: [Person!]! }";
const DATA = { people: [{ id: "1", name: "Ada" }] };
const PEOPLE = { people: [{ id: "1", name: "Ada" }] };

const FORMS = {
  "a string": `${PERSON} ${QUERY}`,
  "a document": parse(`${PERSON} ${QUERY}`),
  "an array of strings": [PERSON, QUERY],
  "an array of strings and documents": [parse(PERSON), QUERY],
  "an array whose parts extend types": [
    "type Person { id: ID! } type Query",
    parse("extend type Person { name: String }"),
    "extend type Query { people: [Person!]! }",
  ],
  "a string that extends its own types": `
    type Person { id: ID! } extend type Person { name: String }
    type Query extend type Query { people: [Person!]! }`,
  "a GraphQLSchema from a builder": buildSchema(`${PERSON} ${QUERY}`),
};

for (const [name, form] of Object.entries(FORMS)) {
  Deno.test(`the GraphQL schema may be ${name}`, async () => {
    const { data } = createMockServer(form, { data: DATA });
    deepStrictEqual(await data("{ people { id name } }"), PEOPLE);
  });
}

for (
  const [name, source] of Object.entries({
    undefined,
    null: null,
    "": "",
    "[object Object]": {},
    " ": " ",
  })
) {
  Deno.test(`what is not a GraphQL schema is an error that says what is: "${name}"`, () => {
    const message = `Cannot use "${name}" as the GraphQL schema: it must be text in the schema ` +
      "definition language, a parsed document, a list of these, the result of an introspection query, " +
      "or a GraphQLSchema of the same graphql";
    const { schema } = createServer({ environment: "test" });
    for (const given of [source, ["type Query { a: Int }", source]]) {
      throws(() => Reflect.apply(createGraphQLHandler, undefined, [given, schema]), {
        name: "TypeError",
        message,
      });
    }
  });
}

Deno.test("root types of the schema may have other names than Query", async () => {
  const { data } = createMockServer(
    `schema { query: Root } type Root { people: [Person!]! root: Query } type Query { id: ID! }
     ${PERSON}`,
    { data: { ...DATA, queries: [{ id: "7" }] } },
  );
  deepStrictEqual(await data("{ people { id name } root { id } }"), {
    ...PEOPLE,
    root: { id: "7" },
  });
});

Deno.test("a GraphQLSchema keeps its own resolvers and is not changed", async () => {
  const graphQLSchema = makeExecutableSchema({
    typeDefs: [PERSON, QUERY, "extend type Person { shout: String age: Int }"],
    resolvers: {
      Person: { shout: ({ name }: { name: string }) => name.toUpperCase(), age: () => 1 },
    },
  });
  const before = resolversOf(graphQLSchema);
  const { data } = createMockServer(graphQLSchema, {
    data: DATA,
    resolvers: { Person: { age: () => 36 } },
  });
  deepStrictEqual(await data("{ people { id name shout age } }"), {
    people: [{ id: "1", name: "Ada", shout: "ADA", age: 36 }],
  });
  deepStrictEqual(resolversOf(graphQLSchema), before);
  strictEqual(graphQLSchema.getType("Person"), graphQLSchema.getTypeMap().Person);
});

Deno.test("one GraphQLSchema serves several Mirage servers", async () => {
  const graphQLSchema = buildSchema(`${PERSON} ${QUERY}`);
  const one = createMockServer(graphQLSchema, { data: DATA });
  const other = createMockServer(graphQLSchema, { data: { people: [{ id: "2", name: "Zoë" }] } });
  deepStrictEqual(await one.data("{ people { id name } }"), PEOPLE);
  deepStrictEqual(await other.data("{ people { id } }"), { people: [{ id: "2" }] });
});

Deno.test("a GraphQLSchema created in code works, with its own resolver", async () => {
  const Person = new GraphQLObjectType({
    name: "Person",
    fields: {
      id: { type: GraphQLID },
      name: { type: GraphQLString },
      isHere: { type: GraphQLBoolean, resolve: () => true },
    },
  });
  const query = new GraphQLObjectType({
    name: "Query",
    fields: { people: { type: new GraphQLList(Person) } },
  });
  const { data } = createMockServer(new GraphQLSchema({ query }), { data: DATA });
  deepStrictEqual(await data("{ people { name isHere } }"), {
    people: [{ name: "Ada", isHere: true }],
  });
});

/** The resolvers of a schema's fields, if they have any. */
function resolversOf(graphQLSchema: GraphQLSchema): Record<string, unknown> {
  return Object.fromEntries(
    Object.values(graphQLSchema.getTypeMap()).filter((type) => type instanceof GraphQLObjectType)
      .flatMap((type) => [
        [`${type.name}.__isTypeOf`, type.isTypeOf],
        ...Object.values(type.getFields()).map((field) => [
          `${type.name}.${field.name}`,
          field.resolve,
        ]),
      ]),
  );
}

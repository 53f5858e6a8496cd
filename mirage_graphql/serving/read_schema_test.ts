import { buildSchema, introspectionFromSchema, isObjectType, isScalarType } from "graphql";
import { deepStrictEqual, ok, throws } from "node:assert/strict";
import { readSchema } from "./read_schema.ts";

Deno.test("readSchema() reports what is wrong and where", () => {
  const cases: [string, string][] = [
    [
      "type Query {\n  a: Int\n  b Int\n}",
      's.graphql:3:5: Syntax Error: Expected ":", found Name "Int".',
    ],
    ["type Query {\n  a: Foo\n}", 's.graphql:2:6: Unknown type "Foo".'],
    [
      '{ "data": {} }',
      "s.graphql: Cannot serve it: the JSON has no __schema, unlike the result of an introspection " +
      "query",
    ],
    [
      "type A { a: Int }",
      's.graphql: Cannot serve it: it has no query type; add "type Query { ... }"',
    ],
    ["query { a }", "s.graphql: Cannot serve it: it has operations, but no types"],
    [
      "interface N { id: ID! }\ntype Query { a: A }\ntype A implements N { b: Int }",
      "s.graphql:1:15: Interface field N.id expected but A does not provide it.",
    ],
    ["", "s.graphql: Cannot serve it: the file is empty"],
    ["# later\r\n", "s.graphql: Cannot serve it: the file is empty"],
  ];
  for (const [text, message] of cases) {
    throws(() => readSchema([{ path: "s.graphql", text }]), { name: "ServeError", message }, text);
  }
});

Deno.test("readSchema() reports everything that is wrong", () => {
  const text = "type Query {\n  a: Foo\n  b: Bar\n}";
  throws(() => readSchema([{ path: "s.graphql", text }]), {
    message: 's.graphql:2:6: Unknown type "Foo".\ns.graphql:3:6: Unknown type "Bar".',
  });
});

Deno.test("readSchema() accepts extensions, directives and custom scalars", () => {
  const text = `
    directive @key(fields: String!) on OBJECT
    scalar Date
    type Query { a: A @deprecated(reason: "old") }
    type A @key(fields: "id") { id: ID! }
    extend type A { on: Date }
    extend type Query { b: Int }
  `;
  const graphQLSchema = readSchema([{ path: "s.graphql", text }]);
  const { A, Date, Query } = graphQLSchema.getTypeMap();
  ok(graphQLSchema.getDirective("key") && isScalarType(Date));
  ok(isObjectType(A) && isObjectType(Query));
  deepStrictEqual([A, Query].map((type) => Object.keys(type.getFields())), [["id", "on"], [
    "a",
    "b",
  ]]);
});

Deno.test("readSchema() ignores directives and definitions that make no difference, and lists them", () => {
  const ignored: string[] = [];
  const text = `
    type Query { a: A b: [A] }
    type A @key(fields: "id") { id: ID! n: Int n: Int }
    extend type A @shareable { m: Int }
  `;
  readSchema([{ path: "s.graphql", text }], { onIgnored: (lines) => ignored.push(...lines) });
  deepStrictEqual(ignored.sort(), [
    'Field "A.n" can only be defined once.',
    'Unknown directive "@key".',
    'Unknown directive "@shareable".',
  ]);
});

Deno.test("readSchema() reads the result of an introspection query", () => {
  const introspection = introspectionFromSchema(buildSchema("type Query { a: Int }"));
  for (const result of [introspection, { data: introspection }]) {
    const graphQLSchema = readSchema([{ path: "schema.json", text: JSON.stringify(result) }]);
    deepStrictEqual(Object.keys(graphQLSchema.getQueryType()?.getFields() ?? {}), ["a"]);
  }
});

Deno.test("readSchema() merges several files, and ignores the operations in them", () => {
  const graphQLSchema = readSchema([
    { path: "a.graphql", text: "type Query { people: [Person!]! } type Person { id: ID! }" },
    { path: "b.graphql", text: "type Query { posts: [Post!]! } type Post { id: ID! }" },
    { path: "c.graphql", text: "extend type Person { posts: [Post!]! }" },
    { path: "d.graphql", text: "query People { people { id } }" },
  ]);
  const { Query, Person } = graphQLSchema.getTypeMap();
  ok(isObjectType(Query) && isObjectType(Person));
  deepStrictEqual(Object.keys(Query.getFields()), ["people", "posts"]);
  deepStrictEqual(Object.keys(Person.getFields()), ["id", "posts"]);
});

Deno.test("readSchema() reports which of several files is wrong", () => {
  const good = { path: "a.graphql", text: "type Query { a: Int }" };
  const introspection = introspectionFromSchema(buildSchema(good.text));
  const cases: [string, string][] = [
    ["type Query {\n  b: Foo\n}", 'b.graphql:2:6: Unknown type "Foo".'],
    ["type A {", "b.graphql:1:9: Syntax Error: Expected Name, found <EOF>."],
    ["", "b.graphql: Cannot serve it: the file is empty"],
    [
      JSON.stringify(introspection),
      "b.graphql: Cannot serve it with other files: an introspection result is a whole schema",
    ],
  ];
  for (const [text, message] of cases) {
    const files = [good, { path: "b.graphql", text }];
    throws(() => readSchema(files), { name: "ServeError", message }, text);
  }
});

import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { buildSchema, introspectionFromSchema } from "graphql";
import { createMockServer } from "../testing/mock_server.ts";
import { withWarnings } from "../testing/warnings.ts";

const BASE = "type Query { people: [Person!]! } type Person { id: ID! name: String }";
const DATA = { people: [{ id: "1", name: "Ada" }] };

const LENIENT: { what: string; sdl: string; ignored: readonly (string | RegExp)[] }[] = [
  {
    what: "definitions of graphql-js's own directives",
    sdl: `directive @oneOf on INPUT_OBJECT
      directive @specifiedBy(url: String!) on SCALAR
      directive @deprecated(reason: String = "No longer supported") on FIELD_DEFINITION
      scalar Date @specifiedBy(url: "https://example.com") input One @oneOf { a: Int b: Int }`,
    ignored: [],
  },
  {
    what: "directives that the schema doesn't define",
    sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key"])
      type A @key(fields: "id") @key(fields: "n") { id: ID! n: Int @external }
      type B @model @auth(rules: [{ allow: owner }]) { id: ID! n: Int @aws_api_key }`,
    ignored: ["@link", "@key", "@external", "@model", "@auth", "@aws_api_key"]
      .map((name) => `Unknown directive "${name}".`),
  },
  {
    what: "an extension of another service's type",
    sdl: 'extend type Product @key(fields: "id") { id: ID! } extend type Query { top: Product }',
    ignored: [
      'Unknown type "Product".',
      /^Cannot extend type "Product"/,
      'Unknown directive "@key".',
    ],
  },
  {
    what: "fields and values that are defined twice",
    sdl: "type A { id: ID! n: Int n: Int } enum E { X X } input I { n: Int n: Int }",
    ignored: [/"A\.n"/, /"E\.X"/, /"I\.n"/],
  },
  {
    what: "scalars that AWS AppSync adds",
    sdl: "type A { id: ID! at: AWSDateTime data: AWSJSON }",
    ignored: ['Unknown type "AWSDateTime".', 'Unknown type "AWSJSON".'],
  },
  {
    what: "types without members",
    sdl: "type A input I enum E union U",
    ignored: [/Type A must/, /Input Object type I must/, /Enum type E must/, /Union type U must/],
  },
  {
    what: "deprecated input fields that are required",
    sdl: "input I { n: Int! @deprecated }",
    ignored: ["Required input field I.n cannot be deprecated."],
  },
];

for (const { what, sdl, ignored } of LENIENT) {
  Deno.test(`a schema builds with ${what}; one warning lists what is ignored`, async () => {
    const { value: { data }, warnings } = withWarnings(() =>
      createMockServer(`${BASE} ${sdl}`, { data: DATA })
    );
    deepStrictEqual(await data("{ people { id name } }"), DATA);
    const lines = warnings.flatMap((text) => text.split("\n").slice(1).map((line) => line.trim()));
    strictEqual(warnings.length, ignored.length > 0 ? 1 : 0, warnings.join("\n"));
    strictEqual(lines.length, ignored.length, lines.join("\n"));
    for (const [index, expected] of ignored.entries()) {
      const line = lines[index] ?? "";
      ok(typeof expected === "string" ? line === expected : expected.test(line), line);
    }
  });
}

Deno.test("a field may be deprecated even if its interface doesn't deprecate it", async () => {
  const { value: { data } } = withWarnings(() =>
    createMockServer(
      `interface Named { name: String }
       type Person implements Named { id: ID! name: String @deprecated(reason: "no") }
       type Query { people: [Person!]! }`,
      { data: DATA },
    )
  );
  deepStrictEqual(await data("{ people { id name } }"), DATA);
  const { __type } = await data(
    '{ __type(name: "Person") { fields(includeDeprecated: true) { name deprecationReason } } }',
  );
  deepStrictEqual(__type.fields[1], { name: "name", deprecationReason: "no" });
});

Deno.test("requests may use @defer and @stream that the schema defines", async () => {
  const { value: { data, errors }, warnings } = withWarnings(() =>
    createMockServer(
      `directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
       directive @stream(label: String, if: Boolean! = true, initialCount: Int = 0) on FIELD
       ${BASE}`,
      { data: DATA },
    )
  );
  deepStrictEqual(
    await data(
      '{ ...Rest @defer(label: "x") } fragment Rest on Query { people @stream { id name } }',
    ),
    DATA,
  );
  deepStrictEqual(await errors("{ people @defer { id } }"), [
    'Directive "@defer" may not be used on FIELD.',
  ]);
  deepStrictEqual(warnings, []);
});

Deno.test("requests may use @defer and @stream that the schema lacks", async () => {
  const { data, errors } = createMockServer(BASE, { data: DATA });
  deepStrictEqual(
    await data("{ ... @defer { people @stream(initialCount: 1) { id name } } }"),
    DATA,
  );
  deepStrictEqual(await errors("{ people { id @other } }"), ['Unknown directive "@other".']);
});

Deno.test("faults that prevent execution are still errors", () => {
  for (
    const [sdl, message] of [
      ["type A { b: B }", /Unknown type.*"B"/],
      ["interface N { id: ID! } type A implements N { b: Int }", /N\.id expected but A/],
      ["type A {", /Syntax Error/],
    ] as const
  ) {
    throws(() => createMockServer(`${BASE} ${sdl}`), { message });
  }
  throws(() => createMockServer("type A { id: ID! }"), { message: /Query root type/ });
});

const introspection = introspectionFromSchema(buildSchema(BASE));

for (
  const [name, source] of Object.entries({
    result: introspection,
    response: { data: introspection },
  })
) {
  Deno.test(`the GraphQL schema may be the ${name} of an introspection query`, async () => {
    const { data } = createMockServer(JSON.parse(JSON.stringify(source)), { data: DATA });
    deepStrictEqual(await data("{ people { id name } }"), DATA);
  });
}

Deno.test("one warning lists the ambiguous relations, each with the line that joins it", async () => {
  const { value: { data, dump }, warnings } = withWarnings(() =>
    createMockServer(`
      type Query { posts: [Post!]! users: [User!]! }
      type Post @key(fields: "id") { id: ID! author: User editor: User }
      type User { id: ID! name: String posts: [Post!]! }
      input PostInput { title: String authorId: ID editorId: ID }
      input UserInput { name: String postIds: [ID!] }
      type Mutation { createPost(input: PostInput!): Post createUser(input: UserInput!): User }
    `)
  );
  strictEqual(warnings.length, 1);
  deepStrictEqual(warnings[0]?.split("\n").filter((line) => line.startsWith("  ")), [
    '  Unknown directive "@key".',
    '  User.posts: hasMany("post", { inverse: "author" }), or "editor"',
  ]);
  await data('mutation { createUser(input: { name: "Ada" }) { id } }');
  await data('mutation { createPost(input: { title: "One", authorId: 1 }) { id } }');
  await data('mutation { createUser(input: { name: "Eve", postIds: [1] }) { id } }');
  deepStrictEqual(await data("{ posts { author { id } editor { id } } users { posts { id } } }"), {
    posts: [{ author: { id: "1" }, editor: null }],
    users: [{ posts: [] }, { posts: [{ id: "1" }] }],
  });
  deepStrictEqual(Object.keys(dump()), ["posts", "users"]);
});

Deno.test("there is no warning if nothing is ignored", () => {
  deepStrictEqual(withWarnings(() => createMockServer(BASE)).warnings, []);
});

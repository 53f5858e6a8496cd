import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { GraphQLScalarType, parse } from "graphql";
import { createMockServer } from "../testing/mock_server.ts";
import { DATA, SCHEMA } from "../testing/planned_data.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

Deno.test("each outcome of @skip and @include has its own plan, up to a limit", () => {
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  const names = ["a", "b", "c", "d", "e"];
  const query = `query (${names.map((name) => `$${name}: Boolean!`).join(" ")}) {
    people { id ${names.map((name) => `${name}: name @include(if: $${name})`).join(" ")}
      ... on Person @skip(if: $a) { mood } ...P @include(if: $b) } }
    fragment P on Person { posts { title @skip(if: $c) id } }`;
  for (let number = 0; number < 96; number++) {
    const variables = Object.fromEntries(
      names.map((name, index) => [name, (number >> index & 1) === 1]),
    );
    const answered = planned(query, variables);
    if (number % 32 < 16) deepStrictEqual(answered, executed(query, variables).data);
    else strictEqual(answered, undefined);
  }
});

Deno.test("a condition that is null is an error, whatever was requested before", () => {
  for (const initial of [true, false]) {
    const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
    const query = `query ($is: Boolean = ${initial}) { people { id name @skip(if: $is) } }`;
    for (const variables of [{ is: true }, { is: false }, {}]) {
      deepStrictEqual(planned(query, variables), executed(query, variables).data);
    }
    strictEqual(executed(query, { is: null }).errors?.length, 1);
    strictEqual(planned(query, { is: null }), undefined);
  }
});

Deno.test("conditions of other operations don't count, nor do those that are not variables", () => {
  const { planned } = createPlannedMock(SCHEMA, { data: DATA });
  const others = [..."abcdefgh"].map((name) =>
    `query ${name}($${name}: Boolean!) { people { id @skip(if: $${name}) } }`
  );
  const query = `query A { people { id @skip(if: true) name } } ${others.join(" ")}`;
  strictEqual(JSON.stringify(planned(query)), '{"people":[{"name":"Ada"},{"name":"Bea"}]}');
});

Deno.test("each operation of a document has its own plan", async () => {
  const { handler } = createMockServer(SCHEMA, { data: DATA });
  const document = parse("query A { people { id } } query B { people { name } }");
  for (const [operationName, person] of [["A", { id: "1" }], ["B", { name: "Ada" }]] as const) {
    const answer = await handler.query(document, {}, { operationName });
    deepStrictEqual(JSON.parse(JSON.stringify(answer)).people[0], person);
  }
});

Deno.test("an operation that two documents share has the fragments of each", async () => {
  const { handler } = createMockServer(SCHEMA, { data: DATA });
  const one = parse("query Q { people { ...F } } fragment F on Person { id }");
  const other = parse("query Q { people { ...F } } fragment F on Person { name }");
  const mixed = { ...other, definitions: [one.definitions[0]!, other.definitions[1]!] };
  const firstOf = async (document: typeof one) =>
    JSON.parse(JSON.stringify(await handler.query(document))).people[0];
  deepStrictEqual(await firstOf(one), { id: "1" });
  deepStrictEqual(await firstOf(mixed), { name: "Ada" });
  deepStrictEqual(await firstOf(one), { id: "1" });
});

Deno.test("one document is planned for each handler's own schema", async () => {
  const document = parse("{ people { name } }");
  const { handler } = createMockServer(SCHEMA, { data: DATA });
  const loud = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: { Person: { name: ({ name }: { name: string }) => name.toUpperCase() } },
  });
  const textOf = async (query: typeof handler.query) => JSON.stringify(await query(document));
  strictEqual(await textOf(handler.query), '{"people":[{"name":"Ada"},{"name":"Bea"}]}');
  strictEqual(await textOf(loud.handler.query), '{"people":[{"name":"ADA"},{"name":"BEA"}]}');
  strictEqual(await textOf(handler.query), '{"people":[{"name":"Ada"},{"name":"Bea"}]}');
});

Deno.test("the planning of fragments that double with each level is abandoned", () => {
  const fragments = Array.from(
    { length: 40 },
    (_, index) =>
      `fragment F${index} on Person { a: boss { ...F${index + 1} } b: boss { ...F${index + 1} } }`,
  );
  const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
  const query = `{ person(id: 2, name: "Ada") { ...F0 } } ${
    fragments.join(" ")
  } fragment F40 on Person { id }`;
  strictEqual(planned(query), undefined);
  strictEqual(JSON.stringify(executed(query).data), '{"person":null}');
});

Deno.test("a query that was left to graphql-js once is planned the next time", () => {
  const people = [{ id: "1", mood: "ANGRY" }];
  const { planned } = createPlannedMock(SCHEMA, { data: { people } });
  const query = "query ($mood: Mood) { people(mood: $mood) { mood } }";
  strictEqual(planned(query), undefined);
  strictEqual(JSON.stringify(planned(query, { mood: "SAD" })), '{"people":[]}');
});

Deno.test("a plan that turned out to contain something that can't be planned is not tried again", () => {
  let calls = 0;
  const Stamp = new GraphQLScalarType({ name: "Stamp", serialize: () => ++calls });
  const resolvers = { Stamp, Post: { title: () => "x" } };
  const { planned } = createPlannedMock(SCHEMA, { data: DATA, resolvers });
  const query = "{ nodes { ... on Person { born } ... on Post { title } } }";
  strictEqual(planned(query), undefined);
  strictEqual(calls, 1);
  strictEqual(planned(query), undefined);
  strictEqual(calls, 1);
});

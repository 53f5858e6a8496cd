import { deepStrictEqual } from "node:assert/strict";
import { DATA, SCHEMA } from "../testing/animal_data.ts";
import { createMockServer } from "../testing/mock_server.ts";

Deno.test("interfaces and unions: @include and @skip may use variables", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  const query = `query ($dog: Boolean!) {
    node(id: 1) { __typename ... on Dog @include(if: $dog) { name } ... on Person @skip(if: $dog) { name } }
  }`;
  deepStrictEqual(await data(query, { dog: true }), { node: { __typename: "Dog", name: "Rex" } });
  deepStrictEqual(await data(query, { dog: false }), {
    node: { __typename: "Person", name: "Ada" },
  });
});

Deno.test("interfaces and unions: fragments that are spread repeatedly are visited once", async () => {
  const { data } = createMockServer(SCHEMA, { data: DATA });
  const levels = 40;
  const fragments = Array.from({ length: levels }, (_, level) => {
    const next = level === levels - 1 ? "... on Dog { name }" : `...f${level + 1} ...f${level + 1}`;
    return `fragment f${level} on Node { ${next} }`;
  });
  deepStrictEqual(await data(`{ node(id: 1) { ...f0 } } ${fragments.join(" ")}`), {
    node: { name: "Rex" },
  });
});

Deno.test("interfaces and unions: plain objects name their type with __typename", async () => {
  const { data } = createMockServer(SCHEMA, {
    data: DATA,
    resolvers: {
      Query: {
        pets: () => [{ __typename: "Cat", lives: 1 }, { __typename: "Dog", breed: "Pug" }],
        node: () => Promise.resolve({ __typename: "HTTPLog", path: "/plain" }),
      },
    },
  });
  deepStrictEqual(
    await data(
      "{ pets { ... on Cat { lives } ... on Dog { breed } } node(id: 1) { ... on HTTPLog { path } } }",
    ),
    { pets: [{ lives: 1 }, { breed: "Pug" }], node: { path: "/plain" } },
  );
});

Deno.test("interfaces and unions: a value without a type is an error that says what to write", async () => {
  const { errors } = createMockServer(SCHEMA, {
    resolvers: { Query: { pet: () => ({ id: "1" }) } },
  });
  deepStrictEqual(await errors("{ pet { __typename } }"), [
    "Cannot determine the type of a value of Query.pet: Pet is one of Cat, Dog. " +
    'Give the value a "__typename", or write a resolver Pet.__resolveType',
  ]);
});

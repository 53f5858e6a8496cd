import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { DATA, SCHEMA } from "../testing/planned_data.ts";
import { createPlannedMock } from "../testing/planned_mock.ts";

const PLANNED: readonly (readonly [query: string, variables?: Record<string, unknown>])[] = [
  ["{ people { id name mood born tags grid address { city } } }"],
  ["{ __typename people { __typename kind: __typename id } }"],
  [`{ people(name: "Bea") { id } happy: people(mood: HAPPY) { name } }`],
  ["query ($name: String) { people(name: $name) { id } }", { name: "Ada" }],
  ["query ($name: String) { people(name: $name) { id } }", { name: null }],
  ["query ($name: String) { people(name: $name) { id } }", {}],
  [`query ($name: String = "Bea") { people(name: $name) { id } }`],
  ["{ person { name } bea: person(id: 2, name: null) { name } nobody: person(id: 7) { name } }"],
  ['{ people { posts(title: "Two") { title author { name posts { title } } } boss { name } } }'],
  ["{ nodes { __typename id ... on Person { name } ... on Post { title } } }"],
  ["{ results { ... on Node { id } ... on Named { name } } named { name } }"],
  ["{ people { posts { subject { __typename id ... on Named { name } } } } }"],
  [
    `{ people { ...Summary ...Summary posts { id } posts { title } } }
     fragment Summary on Person { name ...Mood } fragment Mood on Person { mood name }`,
  ],
  ["{ people { boss { id } boss { posts { id } } } people { boss { name } } }"],
  ["{ postPage(first: 1) { edges { cursor node { title } } nodes { id } pageInfo { hasNextPage endCursor } totalCount } }"],
  ["{ people { id @skip(if: true) name @include(if: true) ... @skip(if: false) { mood } } }"],
  ["{ version }"],
];

for (const [query, variables] of PLANNED) {
  const values = variables === undefined ? "" : ` with ${JSON.stringify(variables)}`;
  Deno.test(`a plan returns what graphql-js returns: ${query}${values}`, () => {
    const { planned, executed } = createPlannedMock(SCHEMA, { data: DATA });
    const expected = executed(query, variables);
    deepStrictEqual(expected.errors, undefined);
    for (const _ of ["planned", "from the plan"]) {
      const data = planned(query, variables);
      ok(data !== undefined, "the query was left to graphql-js");
      deepStrictEqual(data, expected.data);
      strictEqual(JSON.stringify(data), JSON.stringify(expected.data), "the order of the keys");
      strictEqual(Object.getPrototypeOf(data), null);
    }
  });
}

import { deepStrictEqual } from "node:assert/strict";
import { loadSchema, SAMPLES } from "../samples/samples.ts";
import { explainRequest } from "./explain_request.ts";
import { startMock } from "./start_mock.ts";

/** What answers an operation of an example. */
const ANSWERS: readonly (readonly [
  sample: string,
  operation: string,
  lines: readonly string[],
])[] = [
  ["Hand-made library", "{ books { id } }", [
    "Query.books: records, a list of Book",
  ]],
  [
    "Hasura",
    'mutation { update_todos(where: { id: { _gte: 0 } }, _set: { title: "a" }) { affected_rows } }',
    [
      "mutation_root.update_todos: a mutation that says “update”, todos_mutation_response",
      "hasura: mutations update_{records}",
    ],
  ],
  [
    "Strapi-like restaurants",
    '{ restaurants(filters: { name: { containsi: "a" } }) { name } }',
    [
      "Query.restaurants: records, a list of Restaurant",
      "strapi: list.filter.argument filters",
      "strapi: list.filter.operators containsi",
    ],
  ],
  ["Hand-made library", "{ books(limit: 1) { id } }", [
    "Query.books: records, a list of Book",
    "hasura: list.limit limit",
  ]],
];

for (const [name, query, lines] of ANSWERS) {
  Deno.test(`explainRequest() names the rule and the line of a dialect: ${query}`, async () => {
    const sample = SAMPLES.find((one) => one.name === name);
    const schemaText = sample === undefined ? "" : await loadSchema(sample);
    const { mock } = await startMock({ schemaText });
    deepStrictEqual(await explainRequest(mock, { query }, []), lines);
  });
}

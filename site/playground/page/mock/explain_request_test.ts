import { deepStrictEqual } from "node:assert/strict";
import { SAMPLES } from "../samples/samples.ts";
import { explainRequest } from "./explain_request.ts";
import { startMock } from "./start_mock.ts";

/** What answers an operation of an example. */
const ANSWERS: readonly (readonly [sample: string, operation: string, lines: readonly string[]])[] =
  [
    ["Hand-made library", "{ books { id } }", [
      "Query.books: records, a list of Book",
      "Dialect: none needed",
    ]],
    [
      "Hasura",
      "mutation { update_articles(where: { rating: { _gte: 0 } }, _inc: { rating: 1 }) { affected_rows } }",
      [
        "mutation_root.update_articles: a mutation that says “update”, articles_mutation_response",
        "Dialect: Hasura",
      ],
    ],
    ["Strapi", '{ restaurants(filters: { name: { containsi: "a" } }) { name } }', [
      "Query.restaurants: records, a list of Restaurant",
      "Dialect: Strapi",
    ]],
  ];

for (const [name, query, lines] of ANSWERS) {
  Deno.test(`explainRequest() names the rule and the dialect: ${query}`, async () => {
    const schemaText = SAMPLES.find((sample) => sample.name === name)?.schema ?? "";
    const { mock, generated } = await startMock({ schemaText });
    const past = { schemaText, tables: generated, operation: { query } };
    deepStrictEqual(await explainRequest({ mock, past, errors: [] }), lines);
  });
}

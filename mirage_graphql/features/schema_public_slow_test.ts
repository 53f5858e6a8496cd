import { deepStrictEqual, ok } from "node:assert/strict";
import type { GraphQLSchemaSource } from "../schema/executable_schema.ts";
import { createSeeds } from "../seeds.ts";
import { createMockServer } from "../testing/mock_server.ts";
import { downloadPackage, type NpmFiles } from "../testing/npm_files.ts";
import { withWarnings } from "../testing/warnings.ts";

/** Schemas of public APIs from npm packages. */
const PACKAGES: readonly {
  readonly name: string;
  readonly schemas: Readonly<Record<string, (files: NpmFiles) => Promise<GraphQLSchemaSource>>>;
}[] = [
  {
    name: "@octokit/graphql-schema@15.26.1",
    schemas: {
      "schema.json": async ({ read }) => JSON.parse(await read("schema.json")),
      "schema.graphql, with fields that are defined twice": ({ read }) => read("schema.graphql"),
    },
  },
  {
    name: "@shopify/hydrogen-react@2026.4.4",
    schemas: {
      storefront: async ({ read }) => JSON.parse(await read("storefront.schema.json")),
      "customer account": async ({ read }) =>
        JSON.parse(await read("customer-account.schema.json")),
    },
  },
  {
    name: "@favware/graphql-pokemon@8.8.1",
    schemas: { "parts of a folder": ({ readAll }) => readAll("graphql", ".graphql") },
  },
  {
    name: "@vendure/core@3.7.3",
    schemas: {
      "shop, with inputs without fields": vendure("shop-api"),
      "admin, with inputs without fields": vendure("admin-api"),
    },
  },
];

function vendure(folder: string) {
  return async ({ readAll }: NpmFiles) => {
    const parts = ["common", folder].map((one) => readAll(`dist/api/schema/${one}`, ".graphql"));
    return (await Promise.all(parts)).flat();
  };
}

for (const { name, schemas } of PACKAGES) {
  Deno.test(`${name} builds, and its records are generated and read`, async (test) => {
    await using files = await downloadPackage(name);
    for (const [what, read] of Object.entries(schemas)) {
      await test.step(what, async () => {
        const source = await read(files);
        const { value: { data, dump, server, handler }, warnings } = withWarnings(() =>
          createMockServer(source)
        );
        ok(warnings.length <= 1, `${warnings.length} warnings`);
        const { __schema } = await data("{ __schema { queryType { name } types { name } } }");
        ok(__schema.types.length > 10);
        const { value: seeds } = withWarnings(() => createSeeds(source, { count: 1 }));
        server.db.loadData(seeds);
        const tables = Object.values(dump());
        ok(tables.length > 0 && tables.every((rows) => Array.isArray(rows) && rows.length === 1));
        const answer = await handler(server.schema, { requestBody: '{"query":"{ __typename }"}' });
        deepStrictEqual(JSON.parse(JSON.stringify(answer.data)), {
          __typename: __schema.queryType.name,
        });
      });
    }
  });
}

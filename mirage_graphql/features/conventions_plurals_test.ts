import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createServer, type Server } from "miragejs";
import { createGraphQLHandler } from "../mod.ts";
import { createMockServer } from "../testing/mock_server.ts";

/** Types, and the names of their lists, which Mirage's inflector forms. */
const PLURALS: readonly [type: string, list: string][] = [
  ["Movie", "movies"],
  ["House", "houses"],
  ["Cache", "caches"],
  ["Size", "sizes"],
  ["Series", "series"],
  ["News", "news"],
  ["Person", "people"],
  ["Address", "addresses"],
  ["ProjectV2Item", "projectV2Items"],
  ["Story", "stories"],
  ["Status", "statuses"],
];

function schemaOf(type: string, list: string): string {
  const one = type.charAt(0).toLowerCase() + type.slice(1);
  return `
    type Owner { id: ID! name: String ${list}: [${type}!]! ${list}Count: Int! }
    type ${type} { id: ID! label: String }
    input OwnerWhere { ${one}Ids: [ID!] }
    input ${type}Where { label: String }
    type Removed { count: Int! }
    type Query {
      owners(where: OwnerWhere): [Owner!]!
      ${list}(ids: [ID!]): [${type}!]!
      ${list}Count: Int!
    }
    type Mutation { delete${type.slice(0, 0)}${list.charAt(0).toUpperCase()}${
    list.slice(1)
  }(where: ${type}Where): Removed! }
  `;
}

/** Creates a record of a model that the GraphQL schema has, and the types of Mirage don't. */
function create({ schema }: Server, modelName: string, attributes: object) {
  return schema.create(modelName, attributes);
}

for (const [type, list] of PLURALS) {
  Deno.test(`ids, counts and bulk writes find the records of ${type} by the plural "${list}"`, async () => {
    const one = type.charAt(0).toLowerCase() + type.slice(1);
    const many = list.charAt(0).toUpperCase() + list.slice(1);
    const { data, server } = createMockServer(schemaOf(type, list), { conventions: "common" });
    const [first, second] = ["a", "b", "b"].map((label) => create(server, one, { label }));
    create(server, "owner", { name: "Ada", [list]: [first] });
    create(server, "owner", { name: "Bea", [list]: [second] });
    deepStrictEqual(await data(`{ owners(where: { ${one}Ids: ["1"] }) { name ${list}Count } }`), {
      owners: [{ name: "Ada", [`${list}Count`]: 1 }],
    });
    deepStrictEqual(await data(`{ ${list}(ids: ["2"]) { label } ${list}Count }`), {
      [list]: [{ label: "b" }],
      [`${list}Count`]: 3,
    });
    const removed = `delete${many}`;
    deepStrictEqual(await data(`mutation { ${removed}(where: { label: "b" }) { count } }`), {
      [removed]: { count: 2 },
    });
  });
}

Deno.test("plurals are those of the server's own inflector", async () => {
  const inflector = {
    pluralize: (word: string) => word.endsWith("oj") ? word : `${word}j`,
    singularize: (word: string) => word.replace(/(?<=o)j$/, ""),
  };
  const server = createServer({ environment: "test", inflector });
  const { schema } = server;
  const handler = createGraphQLHandler(
    `
    type Amiko { id: ID! nomo: String libroj: [Libro!]! }
    type Libro { id: ID! titolo: String }
    input Kie { libroIds: [ID!] }
    type Query { amikoj(where: Kie): [Amiko!]! }
    `,
    schema,
    { conventions: "common" },
  );
  const book = create(server, "libro", { titolo: "Unu" });
  create(server, "amiko", { nomo: "Ada", libroj: [book] });
  create(server, "amiko", { nomo: "Bea" });
  const query = `{ amikoj(where: { libroIds: ["1"] }) { nomo } }`;
  const { data } = await handler(schema, { requestBody: JSON.stringify({ query }) });
  strictEqual(JSON.stringify(data), `{"amikoj":[{"nomo":"Ada"}]}`);
});

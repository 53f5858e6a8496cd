import { deepStrictEqual } from "node:assert/strict";
import { createServer } from "miragejs";
import { createGraphQLHandler, type HandlerOptions } from "../mock/handler.ts";

const SCHEMA = `
  scalar Date
  type Box { query: Query, always: Query!, tags: [String!]!, at: Date! }
  type Query { box: Box, query: Query, always: Query!, name: String!, tags: [String!]!, at: Date! }
`;

/** The data and the messages that a request gets. */
async function ask(query: string, options: HandlerOptions): Promise<unknown> {
  const { schema } = createServer({ environment: "test" });
  const handler = createGraphQLHandler(SCHEMA, schema, options);
  const { data, errors = [] } = await handler(schema, { requestBody: { query } });
  return JSON.parse(JSON.stringify([data, errors.map(({ message }) => message)]));
}

/** A value, and a promise of it. */
const bothOf = (value: unknown) => [() => value, () => Promise.resolve(value)];

Deno.test("a field of the query type is null if its resolver returns null, or a promise of it", async () => {
  for (const query of bothOf(null)) {
    const ofRoot = await ask("{ query { __typename } }", { root: { query } });
    deepStrictEqual(ofRoot, [{ query: null }, []]);
    const box = () => ({ query: query() });
    const ofObject = await ask("{ box { query { __typename } } }", {
      resolvers: { Query: { box } },
    });
    deepStrictEqual(ofObject, [{ box: { query: null } }, []]);
  }
  for (const always of bothOf(null)) {
    deepStrictEqual(await ask("{ always { __typename } }", { root: { always } }), [
      null,
      ["Cannot return null for non-nullable field Query.always."],
    ]);
  }
  for (const root of [{}, { query: undefined }, { query: Promise.resolve(undefined) }]) {
    const ofRoot = await ask("{ query { __typename } }", { root });
    deepStrictEqual(ofRoot, [{ query: { __typename: "Query" } }, []]);
  }
});

Deno.test("a promise of null has the same message as null", async () => {
  for (const name of ["name", "tags", "at"]) {
    const reason = `Cannot resolve Query.${name}: no record holds the field "${name}". Write a ` +
      'resolver for it, or give it to the handler as part of its "root"';
    for (const read of bothOf(null)) {
      deepStrictEqual(await ask(`{ ${name} }`, { root: { [name]: read() } }), [null, [reason]]);
    }
  }
  const box = (tags: unknown) => ({ resolvers: { Query: { box: () => ({ tags }) } } });
  for (const read of bothOf(null)) {
    deepStrictEqual(await ask("{ box { tags } }", box(read())), [{ box: null }, [
      'Cannot resolve Box.tags: the Box has no "tags", and the field must not be null. Give it ' +
      "one, or write a resolver for Box.tags",
    ]]);
  }
  const [value, promise] = bothOf(null);
  for (const name of ["name", "tags", "at"]) {
    const ofValue = await ask(`{ ${name} }`, { root: { [name]: value } });
    deepStrictEqual(await ask(`{ ${name} }`, { root: { [name]: promise } }), ofValue);
  }
});

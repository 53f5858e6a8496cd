import { match, ok } from "node:assert/strict";
import fc from "fast-check";
import { createServer } from "miragejs";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import type { Dialect } from "../dialects/dialect.ts";
import * as builtIn from "../every_dialect.ts";
import { createFetchHandler } from "../mod.ts";
import { checkResponse } from "./mock.ts";

const SCHEMA = `
  type Person { id: ID! name: String! age: Int }
  input PersonFilter { name: String name_is: String }
  input PersonInput { name: String! }
  type Query { people(first: Int where: PersonFilter sort: String): [Person!]! person(id: ID!): Person }
  type Mutation { createPerson(data: PersonInput!): Person deletePerson(id: ID!): Person }
`;
const OPERATIONS = [
  '{ people(first: 1 where: { name: "Ada" } sort: "name:asc") { name } }',
  "{ people { id name age } }",
  '{ person(id: "1") { name } }',
  'mutation { createPerson(data: { name: "Bo" }) { name } }',
];

/** Keys and values that dialects have, and those that objects have without being told. */
const KEY = fc.constantFrom(
  ...["name", "list", "byKey", "aggregate", "mutations", "nested", "changes", "words", "engine"],
  ...["limit", "offset", "order", "filter", "argument", "form", "directions", "operators", "facts"],
  ...["does", "gives", "set", "data", "where", "id", "createPerson", "create*", "_", ""],
  ...["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"],
);
const WORD = fc.constantFrom(
  ...["first", "where", "sort", "eq", "not eq", "contains ignoring case", "some", "asc", "desc"],
  ...["field:direction", "key", "filter", "value", "record", "count", "create", "delete", "total"],
  ...["", "(", "[a", "*", "__proto__", "constructor"],
);
const { value: VALUE } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: WORD },
    { weight: 2, arbitrary: fc.array(WORD, { maxLength: 2 }) },
    { weight: 3, arbitrary: fc.dictionary(KEY, tie("value"), { maxKeys: 3 }) },
    fc.anything({ withBigInt: true, withNullPrototype: true, maxDepth: 1 }),
    fc.constant(undefined).map(() => circular()),
  ),
}));

/** One change of a dialect: the value at a path, which is followed as far as it goes. */
const CHANGE = fc.record({
  path: fc.array(fc.oneof(fc.nat(20), KEY), { minLength: 1, maxLength: 4 }),
  value: VALUE,
}, { noNullPrototype: true });

/** Dialects of users: a mock follows each that it takes, and says what is wrong with the others. */
export const dialects: Surface = defineSurface<unknown>({
  name: "graphql-dialects",
  share: 0.5,
  open: () => {
    // A mock says in a warning which rule it lacks.
    const { warn } = console;
    console.warn = () => {};
    return Promise.resolve({
      inputs: fc.oneof(
        {
          weight: 5,
          arbitrary: fc.tuple(fc.nat(), fc.array(CHANGE, { maxLength: 3 })).map(toDialect),
        },
        { weight: 2, arbitrary: fc.dictionary(KEY, VALUE).map((one) => ({ name: "own", ...one })) },
        VALUE,
      ),
      check: checkDialect,
      [Symbol.asyncDispose]: () => {
        console.warn = warn;
        return Promise.resolve();
      },
    });
  },
});

const { defineDialect } = builtIn;
const DIALECTS = Object.values(builtIn).filter((one): one is Dialect =>
  typeof one === "object" && "name" in one
);

function toDialect(
  [at, changes]: [number, readonly { path: (string | number)[]; value: unknown }[]],
): unknown {
  const dialect = copy(DIALECTS[at % DIALECTS.length]);
  for (const { path, value } of changes) change(dialect, path, value);
  return dialect;
}

/** A copy, whose functions are shared. */
function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
}

function change(target: unknown, [first = "", ...rest]: (string | number)[], value: unknown): void {
  if (typeof target !== "object" || target === null) return;
  const keys = Object.keys(target);
  const key = typeof first === "string" ? first : keys[first % keys.length] ?? "name";
  if (rest.length > 0) change(Reflect.get(target, key), rest, value);
  // As a literal would, not as an assignment, which sets the prototype.
  else {Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });}
}

function circular(): object {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

async function checkDialect(given: unknown): Promise<void> {
  let dialect: Dialect;
  try {
    dialect = Reflect.apply(defineDialect, undefined, [given]);
  } catch (error) {
    ok(error instanceof TypeError, `another error: ${error}`);
    match(error.message, /^Cannot use the dialect ".*[^.]$/s);
    return;
  }
  const server = createServer({ environment: "test" });
  try {
    const handler = createFetchHandler(SCHEMA, server.schema, { conventions: [dialect] });
    server.db.loadData({ people: [{ name: "Ada", age: 3 }] });
    for (const query of OPERATIONS) {
      const response = await handler(
        new Request("http://mock.test/", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query }),
        }),
      );
      await checkResponse(response);
    }
  } finally {
    server.shutdown();
  }
}

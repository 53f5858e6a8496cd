import { deepStrictEqual, throws } from "node:assert/strict";
import { createServer } from "miragejs";
import { createGraphQLHandler, createGraphQLSubscriptions } from "../mod.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { type ConventionOptions, parseConventions, STRICT } from "./options.ts";

const SWITCHES = [
  "paging",
  "ordering",
  "filtering",
  "ids",
  "writes",
  "aggregates",
  "connections",
] as const;

const OFF = Object.fromEntries(SWITCHES.map((name) => [name, false]));
const ON = Object.fromEntries(SWITCHES.map((name) => [name, true]));
const PLAIN = {
  unknownArguments: "error",
  strict: false,
  defaults: "none",
  idFormat: "local",
  dialects: [],
};
const OURS: Dialect = { name: "ours" };

const PARSED: [ConventionOptions | undefined, expected: object][] = [
  [undefined, { ...OFF, ...PLAIN }],
  [{ conventions: "strict" }, { ...OFF, ...PLAIN }],
  [{ conventions: "common" }, { ...ON, ...PLAIN }],
  [{ conventions: [OURS] }, { ...ON, ...PLAIN, dialects: [OURS] }],
  [{ conventions: { paging: true, ids: undefined } }, { ...OFF, paging: true, ...PLAIN }],
  [{ unknownArguments: "ignore", strict: true }, {
    ...OFF,
    ...PLAIN,
    unknownArguments: "ignore",
    strict: true,
  }],
  [{ conventions: "common", defaults: "generate" }, {
    ...ON,
    ...PLAIN,
    defaults: "generate",
  }],
  [{ ids: "global" }, { ...OFF, ...PLAIN, idFormat: "global" }],
];

for (const [options, expected] of PARSED) {
  Deno.test(`parseConventions() takes ${JSON.stringify(options)}`, () => {
    deepStrictEqual(parseConventions(options), expected);
  });
}

Deno.test("STRICT has the defaults", () => deepStrictEqual(STRICT, parseConventions({})));

const REFUSED: [options: object, message: string][] = [
  [
    { conventions: "all" },
    'Cannot use the option "conventions" with "all": it is "strict", "common", a list of ' +
    "dialects or an object with some of the switches paging, ordering, filtering, ids, writes, " +
    "aggregates, connections",
  ],
  [
    { conventions: { sorting: true } },
    'Cannot use the option "conventions" with "sorting": the switches are paging, ordering, ' +
    "filtering, ids, writes, aggregates, connections",
  ],
  [
    { conventions: { paging: "yes" } },
    'Cannot use the option "conventions.paging" with "yes": it is true or false',
  ],
  [
    { unknownArguments: "warn" },
    'Cannot use the option "unknownArguments" with "warn": it is "error" or "ignore"',
  ],
  [{ strict: "no" }, 'Cannot use the option "strict" with "no": it is true or false'],
  [
    { defaults: "fake" },
    'Cannot use the option "defaults" with "fake": it is "none" or "generate"',
  ],
  [
    { ids: "base64" },
    'Cannot use the option "ids" with "base64": it is "local", "global" or "global-base64"',
  ],
];

for (const [options, message] of REFUSED) {
  Deno.test(`a handler rejects the options ${JSON.stringify(options)}`, () => {
    const { schema } = createServer({ environment: "test" });
    for (const create of [createGraphQLHandler, createGraphQLSubscriptions]) {
      throws(() => create("type Query { version: String }", schema, options), {
        name: "TypeError",
        message,
      });
    }
  });
}

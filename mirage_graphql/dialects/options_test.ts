import { deepStrictEqual, throws } from "node:assert/strict";
import { createServer } from "miragejs";
import { createGraphQLHandler, createGraphQLSubscriptions } from "../mod.ts";
import { withCommon } from "../mock/common_conventions.ts";
import type { Dialect } from "./dialect.ts";
import { COMMON } from "../every_dialect.ts";
import { type ConventionOptions, parseConventions, STRICT } from "./options.ts";

const SWITCHES = [
  "paging",
  "ordering",
  "filtering",
  "ids",
  "writes",
  "aggregates",
  "connections",
  "sessions",
  "subscriptions",
] as const;

const OFF = Object.fromEntries(SWITCHES.map((name) => [name, false]));
const ON = Object.fromEntries(SWITCHES.map((name) => [name, true]));
const PLAIN = {
  unknownArguments: "error",
  ignoreArguments: [],
  sessionOptions: {},
  strict: false,
  defaults: "none",
  idFormat: "local",
  dialects: [],
};
const COMMON_NAMES = COMMON.map(({ name }) => name);
const OURS: Dialect = { name: "ours" };

const PARSED: [ConventionOptions | undefined, expected: object][] = [
  [undefined, { ...OFF, ...PLAIN }],
  [{ conventions: "strict" }, { ...OFF, ...PLAIN }],
  [{ conventions: "common" }, { ...ON, ...PLAIN, dialects: COMMON_NAMES }],
  [{ conventions: [OURS] }, { ...ON, ...PLAIN, dialects: ["ours"] }],
  [{ conventions: { ordering: true, dialects: [OURS] } }, {
    ...OFF,
    ...PLAIN,
    ordering: true,
    dialects: ["ours"],
  }],
  [{ conventions: { paging: true, ids: undefined } }, {
    ...OFF,
    ...PLAIN,
    paging: true,
    dialects: COMMON_NAMES,
  }],
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
    dialects: COMMON_NAMES,
  }],
  [{ conventions: "common", ignoreArguments: ["channel"], sessions: { by: "code" } }, {
    ...ON,
    ...PLAIN,
    ignoreArguments: ["channel"],
    sessionOptions: { by: "code" },
    dialects: COMMON_NAMES,
  }],
  [{ ids: "global" }, { ...OFF, ...PLAIN, idFormat: "global" }],
];

for (const [options, expected] of PARSED) {
  Deno.test(`parseConventions() takes ${JSON.stringify(options)}`, () => {
    const { dialects, ...parsed } = parseConventions(options && withCommon(options));
    deepStrictEqual({ ...parsed, dialects: dialects.map(({ name }) => name) }, expected);
  });
}

Deno.test("parseConventions() rejects words for dialects that are not there", () => {
  for (const conventions of ["common", { paging: true }] as const) {
    throws(() => parseConventions({ conventions }), {
      name: "TypeError",
      message:
        `Cannot use the option "conventions" with ${JSON.stringify(conventions)}: it names ` +
        'no dialects, such as [hasura] of "@trestle/mirage-graphql/dialects"',
    });
  }
});

Deno.test("STRICT has the defaults", () => deepStrictEqual(STRICT, parseConventions({})));

const REFUSED: [options: object, message: string][] = [
  [
    { conventions: "all" },
    'Cannot use the option "conventions" with "all": it is "strict", "common", a list of ' +
    "dialects or an object with some of the switches paging, ordering, filtering, ids, writes, " +
    "aggregates, connections, sessions, subscriptions",
  ],
  [
    { conventions: { sorting: true } },
    'Cannot use the option "conventions" with "sorting": the switches are paging, ordering, ' +
    "filtering, ids, writes, aggregates, connections, sessions, subscriptions",
  ],
  [
    { conventions: { paging: "yes" } },
    'Cannot use the option "conventions.paging" with "yes": it is true or false',
  ],
  [
    { unknownArguments: "warn" },
    'Cannot use the option "unknownArguments" with "warn": it is "error" or "ignore"',
  ],
  [
    { ignoreArguments: "channel" },
    'Cannot use the option "ignoreArguments" with "channel": it is a list of names',
  ],
  [
    { conventions: "common", sessions: { signIn: "enter" } },
    'Cannot use the option "sessions" with "signIn": the keys are user, by, login, signup, logout, ' +
    "viewer",
  ],
  [
    { conventions: "common", sessions: { by: ["email"] } },
    'Cannot use the option "sessions.by" with ["email"]: it is a name',
  ],
  [
    { conventions: "common", sessions: { user: "Person" } },
    'Cannot use the option "sessions.user" with "Person": no type with records has this name',
  ],
  [
    { sessions: { by: "email" } },
    'Cannot use the option "sessions" without the dialect "general": it has the rules of sessions',
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

import { throws } from "node:assert/strict";
import { COMMON } from "../every_dialect.ts";
import { checkDialect } from "./check_dialect.ts";

for (const dialect of COMMON) {
  Deno.test(`checkDialect() accepts ${dialect.name}`, () => checkDialect(dialect));
}

const REFUSED: [dialect: unknown, message: string][] = [
  [undefined, 'Cannot use the dialect "undefined": it is undefined, rather than an object'],
  ["hasura", 'Cannot use the dialect "hasura": it is "hasura", rather than an object'],
  [{}, 'Cannot use the dialect "[object Object]": it has no "name"'],
  [
    { name: "ours", lists: {} },
    'Cannot use the dialect "ours": it has "lists", and its keys are name, list, byKey, ' +
    "aggregate, mutations, nested, changes, words, engine",
  ],
  [
    { name: "ours", list: { limit: 10 } },
    'Cannot use the dialect "ours": list.limit is 10, rather than a name or a list of names',
  ],
  [
    { name: "ours", list: { filter: { argument: "where", operators: { is: "equal" } } } },
    'Cannot use the dialect "ours": list.filter.operators["is"] is "equal", rather than one of ' +
    "eq, in, lt, lte, gt, gte, contains, anyword, allwords, starts, ends, like, regex, between, " +
    'all, null, distinct, empty, "not" before it and "ignoring case" after it',
  ],
  [
    { name: "ours", list: { filter: { and: "and" } } },
    'Cannot use the dialect "ours": list.filter has no "argument"',
  ],
  [
    { name: "ours", mutations: { "drop{Record}": { does: "drop", gives: "record" } } },
    'Cannot use the dialect "ours": mutations["drop{Record}"].does is "drop", rather than one of ' +
    "create, update, delete, upsert",
  ],
  [
    { name: "ours", mutations: { "drop{Record}": { does: "delete", id: "key" } } },
    'Cannot use the dialect "ours": mutations["drop{Record}"] has no "gives"',
  ],
  [
    { name: "ours", mutations: { "drop{Record}": { does: "delete", id: "id", gives: "id" } } },
    'Cannot use the dialect "ours": mutations["drop{Record}"].id is "id", rather than one of ' +
    "key, filter, condition, value, values, values[], created, change, conflict, skip, ignored",
  ],
  [
    { name: "ours", mutations: { drop: { does: "delete", gives: "id", constructor: "id" } } },
    'Cannot use the dialect "ours": mutations["drop"].constructor is "id", rather than one of ' +
    "key, filter, condition, value, values, values[], created, change, conflict, skip, ignored",
  ],
  [
    { name: 1n, list: { __proto__: null } },
    'Cannot use the dialect "[object Object]": name is 1, rather than a text',
  ],
  [Object.create(null), 'Cannot use the dialect "[object Object]": it has no "name"'],
];

for (const [dialect, message] of REFUSED) {
  Deno.test(`checkDialect() rejects ${Deno.inspect(dialect)}`, () => {
    throws(() => checkDialect(dialect as never), { name: "TypeError", message });
  });
}

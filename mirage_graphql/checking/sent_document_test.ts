import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { buildSchema, parse, print, validate } from "graphql";
import { toSentDocument } from "./sent_document.ts";

const SCHEMA = buildSchema("type Query { people(first: Int, name: String): [String!] }");

const SENT: readonly [name: string, document: string, sent: string][] = [
  ["what the schema has", "{ people @skip(if: true) }", "{ people @skip(if: true) }"],
  ["no directive of a client", '{ people @connection(key: "a") }', "{ people }"],
  ["no local field", "{ isOpen @client people }", "{ __typename people }"],
  ["no field of Relay", "{ __id people }", "{ __typename people }"],
  [
    "no variable that only a local field uses",
    "query A($a: Int, $b: Int) { open(a: $a) @client people(first: $b) }",
    "query A($b: Int) { __typename people(first: $b) }",
  ],
  [
    "a variable that nothing uses, which is a fault of the app",
    "query A($a: Int) { people }",
    "query A($a: Int) { people }",
  ],
  [
    "arguments of Relay's fragments as variables",
    `query A($name: String) { ...F @arguments(count: 3) }
     fragment F on Query @argumentDefinitions(
       count: { type: "Int", defaultValue: 10 } name: { type: "String" } other: { type: "Int" }
     ) { people(first: $count, name: $name) }`,
    `query A($name: String, $count: Int = 10) { ...F }
     fragment F on Query { people(first: $count, name: $name) }`,
  ],
  [
    "no variable for an argument of a fragment whose type is none",
    '{ people ...F } fragment F on Query @argumentDefinitions(a: { type: "" }) { people }',
    "{ people ...F } fragment F on Query { people }",
  ],
];

for (const [name, document, sent] of SENT) {
  Deno.test(`toSentDocument() leaves ${name}`, () => {
    strictEqual(print(toSentDocument(SCHEMA, parse(document))), print(parse(sent)));
  });
}

Deno.test("what toSentDocument() returns for Relay is valid", () => {
  const [, document = ""] = SENT.find(([name]) => name.startsWith("arguments of Relay")) ?? [];
  deepStrictEqual(validate(SCHEMA, toSentDocument(SCHEMA, parse(document))), []);
});

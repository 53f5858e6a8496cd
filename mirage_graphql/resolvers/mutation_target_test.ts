import { buildSchema } from "graphql";
import { deepStrictEqual } from "node:assert/strict";
import { mutationKind } from "./mutation_target.ts";

const KINDS: readonly (readonly [args: string, kind: unknown])[] = [
  ["what: In!", { action: "create", input: "what" }],
  ["what: In", { action: "create", input: "what" }],
  ["key: ID!", { action: "delete", idName: "key" }],
  ["key: ID", { action: "delete", idName: "key" }],
  ["key: ID!, with: In!", { action: "update", idName: "key", input: "with" }],
  ["with: In, key: ID", { action: "update", idName: "key", input: "with" }],
  ["keys: [ID!]!", undefined],
  ["all: [In!]!", undefined],
  ["id: String!", undefined],
  ["id: Int!", undefined],
  ["one: ID!, two: ID!", undefined],
  ["one: In!, two: In!", undefined],
  ["one: In!, two: In!, id: ID!", undefined],
  ["id: ID!, input: In!, force: Boolean", undefined],
  ["input: In!, clientMutationId: String", undefined],
];

for (const [args, expected] of KINDS) {
  Deno.test(`mutationKind() of (${args})`, () => {
    const schema = buildSchema(`input In { a: Int } type Query { run(${args}): Int }`);
    const kind = mutationKind(schema.getQueryType()!.getFields().run!.args);
    const input = kind && "input" in kind ? { input: kind.input.name } : {};
    deepStrictEqual(kind && { ...kind, ...input }, expected);
  });
}

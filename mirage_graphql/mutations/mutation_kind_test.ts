import { buildSchema } from "graphql";
import { deepStrictEqual } from "node:assert/strict";
import { mutationKind } from "./mutation_kind.ts";
import type { MutationVerb } from "./mutation_name.ts";

type Expected = readonly [action: string, idName?: string, input?: string] | undefined;

const KINDS: readonly (readonly [args: string, expected: Expected, verb?: MutationVerb])[] = [
  ["what: In!", ["create", undefined, "what"]],
  ["what: In", ["create", undefined, "what"]],
  ["what: In!", ["create", undefined, "what"], "create"],
  ["what: In!", ["update", undefined, "what"], "update"],
  ["what: In!", ["delete", undefined, "what"], "delete"],
  ["what: In!", undefined, "close"],
  ["key: ID!", ["delete", "key"]],
  ["key: ID", ["delete", "key"]],
  ["key: ID", ["delete", "key"], "delete"],
  ["key: ID!", undefined, "update"],
  ["key: ID!", undefined, "close"],
  ["key: ID!, with: In!", ["update", "key", "with"]],
  ["with: In, key: ID", ["update", "key", "with"]],
  ["with: In, key: ID", ["update", "key", "with"], "update"],
  ["with: In, key: ID", ["update", "key", "with"], "create"],
  ["with: In, key: ID", ["delete", "key", "with"], "delete"],
  ["with: In, key: ID", undefined, "close"],
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

for (const [args, expected, verb] of KINDS) {
  Deno.test(`mutationKind() of (${args}) with ${verb ?? "no verb"}`, () => {
    const schema = buildSchema(`input In { a: Int } type Query { run(${args}): Int }`);
    const kind = mutationKind(schema.getQueryType()!.getFields().run!.args, verb);
    if ("reason" in kind) return deepStrictEqual(undefined, expected);
    const [action, idName, input] = expected ?? [];
    deepStrictEqual([kind.action, kind.idName, kind.input?.name], [action, idName, input]);
  });
}

import { deepStrictEqual } from "node:assert/strict";
import { print } from "graphql";
import { collectOperations } from "./collect_operations.ts";
import { readDocuments } from "./read_documents.ts";

/** The operations of files, each with its place and its document in one line. */
function collect(files: Readonly<Record<string, string>>): string[] {
  const documents = Object.entries(files).map(([path, text]) => readDocuments({ path, text }));
  return collectOperations(documents).map(({ path, line, document }) =>
    `${path}:${line} ${print(document).replaceAll(/\s+/g, " ")}`
  );
}

Deno.test("collectOperations() finds fragments in other files, and those that fragments use", () => {
  deepStrictEqual(
    collect({
      "a.graphql": "query A { ...F }\n\nquery B { b }",
      "f.ts": "gql`fragment F on Query { ...G }`",
      "g.vue": "<script>gql`fragment G on Query { g }`</script>",
    }),
    [
      "a.graphql:1 query A { ...F } fragment F on Query { ...G } fragment G on Query { g }",
      "a.graphql:3 query B { b }",
    ],
  );
});

Deno.test("collectOperations() takes the fragment of the same file first", () => {
  const [a, b] = ["a", "b"].map((name) =>
    `query Of_${name} { ...F } fragment F on Query { ${name} }`
  );
  deepStrictEqual(collect({ "a.graphql": a ?? "", "b.graphql": b ?? "" }), [
    "a.graphql:1 query Of_a { ...F } fragment F on Query { a }",
    "b.graphql:1 query Of_b { ...F } fragment F on Query { b }",
  ]);
});

Deno.test("collectOperations() lists an operation once that a code generator has repeated", () => {
  deepStrictEqual(
    collect({
      "a.graphql": "query A { a { b ...F } } fragment F on A { c }",
      "b.ts": "gql`fragment F on A { c __typename } query A { a { b __typename ...F } }`",
      "c.graphql": "query A { a { b } }",
    }),
    [
      "a.graphql:1 query A { a { b ...F } } fragment F on A { c }",
      "c.graphql:1 query A { a { b } }",
    ],
  );
});

Deno.test("collectOperations() ends with fragments that use each other or are missing", () => {
  deepStrictEqual(
    collect({ "a.graphql": "{ ...F ...Missing } fragment F on Query { ...F }" }),
    ["a.graphql:1 { ...F ...Missing } fragment F on Query { ...F }"],
  );
});

Deno.test("readDocuments() says what is not a document, though it looks generated", () => {
  const broken = '{"kind":"Document","definitions":[{"kind":"OperationDefinition"}]}';
  const { operations, faults } = readDocuments({ path: "a.ts", text: `const A = ${broken};` });
  deepStrictEqual(operations, []);
  deepStrictEqual(faults, [
    { path: "a.ts", line: 1, reason: "Cannot read this object: it is not a document of GraphQL" },
  ]);
});

import { deepStrictEqual } from "node:assert/strict";
import { scanScript } from "./scan_script.ts";

const FOUND: readonly [name: string, script: string, texts: readonly string[]][] = [
  ["a template with the tag gql", "const A = gql`{ a }`;", ["{ a }"]],
  ["a template with the tag graphql", "graphql`{ a }`", ["{ a }"]],
  ["a tag with types", "gql<Data, Record<string, A>>`{ a }`", ["{ a }"]],
  ["a tag on another line", "gql\n  `{ a }`", ["{ a }"]],
  ["a call with a template", "graphql(`{ a }`)", ["{ a }"]],
  ["a call with a string", 'graphql("query A { a(b: \\"c\\") }")', ['query A { a(b: "c") }']],
  ["a call with types and a comment", "gql<A>(/* GraphQL */ `{ a }`)", ["{ a }"]],
  ["a class of codegen", "new TypedDocumentString(`{ a }`)", ["{ a }"]],
  ["a comment before a template", "const A = /* GraphQL */ `{ a }`", ["{ a }"]],
  ["a comment before a string", "const A = /* graphql */ '{ a }'", ["{ a }"]],
  ["several", "gql`{ a }`; gql`{ b }`", ["{ a }", "{ b }"]],
  ["one after a division", "const half = a / 2; gql`{ a }`; b / 2", ["{ a }"]],
  ["one after a regular expression", "x = /[/`'\"]/; gql`{ a }`", ["{ a }"]],
  ["one after a regular expression that is returned", "return /`/; gql`{ a }`", ["{ a }"]],
  ["one after an apostrophe of JSX", "<p>It's</p>;\ngql`{ a }`", ["{ a }"]],
  ["one in an expression of a template", "`${gql`{ a }`}`; gql`{ b }`", ["{ b }"]],
  ["one after a template with braces", "`${{ a: `}` }}`; gql`{ a }`", ["{ a }"]],
  ["escaped characters", 'gql`{ a(b: "\\`\\${c}") }`', ['{ a(b: "`${c}") }']],
  ["a fragment's place", "gql`{ ...F } ${F}`", ["{ ...F }  "]],
  ["a template without an end", "gql`{ a", ["{ a"]],
  ["nothing in a comment of one line", "// gql`{ a }`", []],
  ["nothing in a comment", "/* gql`{ a }` */", []],
  ["nothing in a string", "'gql`{ a }`'", []],
  ["no template without a tag", "const a = `{ a }`", []],
  ["no method of that name", "client.graphql(`{ a }`)", []],
  ["no call with something else first", "graphql(schema, `{ a }`)", []],
  ["no string without a selection", 'graphql("people")', []],
  ["nothing after another comment", "/* SQL */ `{ a }`", []],
];

for (const [name, script, texts] of FOUND) {
  Deno.test(`scanScript() finds ${name}`, () => {
    deepStrictEqual(scanScript(script).map(({ text }) => text), texts);
  });
}

Deno.test("scanScript() finds documents that a code generator writes, and where each begins", () => {
  const json = '{"kind":"Document","definitions":[{"value":"}"}]}';
  deepStrictEqual(
    scanScript(`\n\nconst A = ${json} as unknown;\n/* \n */ gql\`\n{ a }\``),
    [
      { text: json, isJson: true, line: 3 },
      { text: "\n{ a }", isJson: false, line: 5 },
    ],
  );
});

Deno.test("scanScript() names an expression inside of a selection", () => {
  deepStrictEqual(scanScript("gql`{ a { ${fields} ${more} } }`").map(({ inner }) => inner), [
    "${fields}",
  ]);
});

Deno.test("scanScript() keeps the lines of what follows an expression", () => {
  deepStrictEqual(
    scanScript("gql`{ a }\n${[\n1,\n]}\nfragment F on A { a }`")[0]?.text,
    "{ a }\n \n\n\nfragment F on A { a }",
  );
});

Deno.test("scanScript() goes on no deeper than anyone nests templates", () => {
  deepStrictEqual(scanScript(`gql\`{ a }\`; ${"`${".repeat(50_000)}`).map(({ text }) => text), [
    "{ a }",
  ]);
});

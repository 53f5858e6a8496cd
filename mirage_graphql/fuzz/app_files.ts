import { deepStrictEqual, match, ok } from "node:assert/strict";
import fc from "fast-check";
import { edited } from "../../test_support/fuzz/edited.ts";
import { defineSurface, type Surface } from "../../test_support/fuzz/surface.ts";
import { runCheck } from "../checking/run_check.ts";

/** A file of an app. */
interface AppFile {
  readonly path: string;
  readonly text: string;
}

const SCHEMA = {
  path: "schema.graphql",
  text: `
    type Person { id: ID! name: String! friends(first: Int): [Person!]! }
    input PersonInput { name: String! nested: PersonInput }
    type Query { people(name: String first: Int): [Person!]! person(id: ID!): Person }
    type Mutation { createPerson(input: PersonInput!): Person }
    type Subscription { personCreated: Person! }
  `,
};

const SELECTION = fc.constantFrom(
  ...["id", "name", "id @client", "__id", "...F", "... on Person { id }", "friends { name }"],
  ...["friends(first: $n) { ...F }", "...F @arguments(n: 3)", "...Missing", "nope", "${more}"],
);
const OPERATION = fc.tuple(
  fc.constantFrom(
    ...["{ people {S} }", "query A($n: Int) { people(first: $n) {S} }", "{ person(id: 1) {S} }"],
    ...["mutation M($i: PersonInput!) { createPerson(input: $i) {S} }", "{ a: person {S} b: c }"],
    ...["subscription { personCreated {S} }", "fragment F on Person {S}", "type Query { a: Int }"],
    'fragment F on Person @argumentDefinitions(n: { type: "Int!", defaultValue: 1 }) {S}',
    'fragment F on Person @argumentDefinitions(n: { type: "", x: [$n] }, m: 1) {S}',
  ),
  fc.array(SELECTION, { minLength: 1, maxLength: 3 }),
).map(([text, selections]) => text.replace("S", () => ` ${selections.join(" ")} `));
const NODE = fc.constantFrom(
  ...["null", "1", "{}", '{"kind":"Field"}', '{"kind":"Name","value":"a"}'],
  '{"kind":"OperationDefinition","operation":"query"}',
  '{"kind":"FragmentDefinition","name":{"kind":"Name","value":"F"}}',
  '{"kind":"OperationDefinition","operation":"query","selectionSet":{"kind":"SelectionSet",' +
    '"selections":[{"kind":"Field","name":{"kind":"Name","value":"people"}}]}}',
  '{"kind":"OperationDefinition","operation":"none","selectionSet":{"kind":"SelectionSet",' +
    '"selections":[null,{"kind":"FragmentSpread"},{"kind":"Field"}]}}',
);
const GENERATED = fc.array(NODE, { maxLength: 2 }).map((nodes) =>
  `{"kind":"Document","definitions":[${nodes}]}`
);
const PIECE = fc.oneof(
  { weight: 3, arbitrary: OPERATION.map((text) => `const A = gql\`${text}\`;\n`) },
  OPERATION.map((text) => `graphql(/* no */ '${text}');\n`),
  OPERATION.map((text) => `/* GraphQL */ \`${text}\`\n`),
  GENERATED.map((text) => `export const B = ${text} as never;\n`),
  edited(GENERATED).map((text) => `export const B = ${text};\n`),
  fc.constantFrom(
    ...["a / b / `${`${'", "/[/`]/.test(x)", "<p>it's {a}</p>\n", "// gql`\n", "gql<A, B>`", "${"],
    ...["<script>\n", "</script>", '<script lang="ts" setup>', "gql.b`{a}`", "\\", "`"],
    ...["gql`" + "${`".repeat(20_000), "{".repeat(20_000), "gql(".repeat(5_000)],
  ),
);
const FILE: fc.Arbitrary<AppFile> = fc.oneof(
  fc.record({
    path: fc.constantFrom("a.ts", "a.tsx", "a.js", "a.vue", "a.svelte"),
    text: edited(fc.array(PIECE, { maxLength: 4 }).map((all) => all.join(""))),
  }),
  fc.record({
    path: fc.constantFrom("a.ts", "a.vue"),
    text: fc.array(PIECE, { maxLength: 4 }).map((all) => all.join("")),
  }),
  fc.record({
    path: fc.constantFrom("a.graphql", "a.gql"),
    text: edited(fc.array(OPERATION, { maxLength: 3 }).map((all) => all.join("\n"))),
  }),
);

/** The files of an app: `check` reports on what is in them, or says what it can't read. */
export const appFiles: Surface = defineSurface<readonly AppFile[]>({
  name: "graphql-app-files",
  share: 0.3,
  open: () =>
    Promise.resolve({
      inputs: fc.array(FILE, { minLength: 1, maxLength: 2 }),
      check: checkFiles,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

async function checkFiles(given: readonly AppFile[]): Promise<void> {
  const files = given.map(({ path, text }, at) => ({ path: `${at}/${path}`, text }));
  const printed: string[] = [];
  const errors: string[] = [];
  const all = [SCHEMA, ...files];
  const code = await runCheck(["--schema", SCHEMA.path, "--json", "app"], {
    findFiles: ([source]) =>
      Promise.resolve((source === "app" ? files : [SCHEMA]).map(({ path }) => path)),
    readFile: (path) => Promise.resolve(all.find((file) => file.path === path) ?? SCHEMA),
    writeFile: () => Promise.reject(new Error("it writes a file")),
    loadConfig: () => Promise.reject(new Error("it loads settings")),
    print: (text) => printed.push(text),
    error: (text) => errors.push(text),
  });
  if (code === 2) {
    deepStrictEqual(printed, []);
    return match(errors.join("\n"), /^Cannot .*[^.]$/s);
  }
  deepStrictEqual([code, errors], [0, []]);
  const { operations, unread } = JSON.parse(printed.join(""));
  const places: { path: string; line: number }[] = [...operations, ...unread];
  for (const { path, line } of places) {
    const lines = files.find((file) => file.path === path)?.text.split(/\r\n|[\n\r]/).length ?? 0;
    ok(line >= 1 && line <= lines, `line ${line} of ${lines} of ${path}`);
  }
  ok(
    !/Cannot read properties|is not (?:a function|iterable)|call stack/.test(printed.join("")),
    `it shows a failure: ${printed}`,
  );
}

import { deepStrictEqual, throws } from "node:assert/strict";
import { problemsOf, readSource } from "./schema_source.ts";
import { startMock } from "./start_mock.ts";

/** Schemas with a fault, and the faults as `line:column message`. */
const FAULTS: readonly (readonly [name: string, schema: string, faults: readonly string[]])[] = [
  ["a brace is missing", "type Query {\n  a: Int\n", ['3:1 Syntax Error: Expected Name, found <EOF>.']],
  ["a character", "type Query {\n  a: Int;\n}", ['2:9 Syntax Error: Unexpected character: ";".']],
  ["a type", "type Query {\n  a: Int\n  b: Foo\n}", ['3:6 Unknown type "Foo".']],
  ["nothing", " ", ["? There is no schema yet: choose an example, or paste your own"]],
  ["JSON", '{"a": 1}', ['? Cannot use the JSON as a schema: it has no __schema']],
];

for (const [name, schema, faults] of FAULTS) {
  Deno.test(`problemsOf() says where the fault is: ${name}`, async () => {
    const problems = await startMock({ schemaText: schema }).then(() => [], (error: unknown) => {
      return problemsOf(error, schema);
    });
    deepStrictEqual(
      problems.map(({ line, column, message }) =>
        `${line === undefined ? "?" : `${line}:${column}`} ${message}`
      ),
      faults,
    );
  });
}

Deno.test("problemsOf() says where JSON is damaged, as far as the browser does", () => {
  const text = "{\n  __schema: 1\n}";
  throws(() => readSource(text), (error) => {
    const [problem] = problemsOf(error, text);
    return problem?.line === 2 && problem.column === 3;
  });
});

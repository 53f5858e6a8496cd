import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Kind, parse } from "graphql";
import { createLoggingClient } from "../mock/request_log.ts";
import { startMock } from "../mock/start_mock.ts";
import { loadSchema, SAMPLES } from "./samples.ts";

Deno.test("ten of the examples are schemas of public projects, and all names, also of operations, differ", () => {
  strictEqual(SAMPLES.filter(({ source }) => source instanceof URL).length, 10);
  strictEqual(new Set(SAMPLES.map(({ name }) => name)).size, SAMPLES.length);
  strictEqual(
    new Set(SAMPLES.map(({ operation }) => operation.split(" ")[1])).size,
    SAMPLES.length,
  );
});

for (const sample of SAMPLES) {
  const { name, operation } = sample;
  Deno.test(`the example is mocked, and its operations are answered: ${name}`, async () => {
    const { mock, generated } = await startMock({ schemaText: await loadSchema(sample) });
    ok(Object.values(generated).every((records) => records.length > 0));
    const client = createLoggingClient({
      failure: () => undefined,
      onFailed: () => {},
      onChange: () => {},
      explain: () => Promise.resolve([]),
    });
    for (const definition of parse(operation).definitions) {
      ok(definition.kind === Kind.OPERATION_DEFINITION);
      if (definition.operation === "subscription") continue;
      const operationName = definition.name?.value;
      const answer = await client.post(mock, { query: operation, operationName });
      ok("data" in answer, JSON.stringify(answer));
      strictEqual("errors" in answer, false, JSON.stringify(answer));
      const lists = JSON.stringify(answer).match(/\[[^\]]/g) ?? [];
      ok(definition.operation === "mutation" || lists.length > 0, JSON.stringify(answer));
    }
  });
}

Deno.test("the first example has a query, a mutation and a subscription", () => {
  const [first] = SAMPLES;
  deepStrictEqual(
    parse(first?.operation ?? "").definitions.map((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? one.operation : one.kind
    ),
    ["query", "mutation", "subscription"],
  );
});

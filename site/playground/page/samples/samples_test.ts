import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Kind, parse } from "graphql";
import { createLoggingClient } from "../mock/request_log.ts";
import { startMock } from "../mock/start_mock.ts";
import { SAMPLES } from "./samples.ts";

Deno.test("there are ten examples, whose names differ", () => {
  strictEqual(new Set(SAMPLES.map(({ name }) => name)).size, 10);
});

for (const { name, schema, operation } of SAMPLES) {
  Deno.test(`the example is mocked, and its operations are answered: ${name}`, async () => {
    const { mock, generated } = await startMock({ schemaText: schema });
    ok(Object.values(generated).every((records) => records.length > 0));
    const client = createLoggingClient({
      failure: () => undefined,
      onFailed: () => {},
      onChange: () => {},
    });
    for (const definition of parse(operation).definitions) {
      ok(definition.kind === Kind.OPERATION_DEFINITION);
      if (definition.operation === "subscription") continue;
      const operationName = definition.name?.value;
      const answer = await client.send(mock, { query: operation, operationName });
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
